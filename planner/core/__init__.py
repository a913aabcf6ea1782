"""What every other part stands on: units, formulas, quantities, checks, findings, errors."""
