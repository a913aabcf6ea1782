"""The glossary: one word, one meaning, one unit; and what is not modelled."""

from planner.documents.glossary import GLOSSARY as GLOSSARY

LIMITS = (
    "Random small I/O, metadata rates and inference serving are not sized.",
    "Vendors' discounts, taxes, freight and labour are not in any price.",
    "The network is checked for bandwidth, ports and paths; cable lengths and routing tables are not.",
    "Failures are independent but for the stated hazard after a first one; no site failures.",
)
"""What the planner does not model."""
