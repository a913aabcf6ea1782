"""What a training recipe keeps for each parameter, where the rows of the catalogue do not say it alone."""

from __future__ import annotations

from planner.core.formula import formula
from planner.core.units import Number

_S3 = "workload facts, section 3: bytes per parameter by training recipe"


@formula(
    r"b = b_m + (b_e - b_m)\,\frac{E}{P}",
    unit="bytes",
    label="Bytes per parameter",
    source=_S3,
    symbols={
        "matrix_bytes": "b_m",
        "embedding_bytes": "b_e",
        "embedding_parameter_count": "E",
        "parameter_count": "P",
    },
)
def mixed_recipe_bytes(
    matrix_bytes: Number,
    *,
    embedding_bytes: Number,
    embedding_parameter_count: Number,
    parameter_count: Number,
) -> Number:
    """Bytes per parameter where embeddings are trained by another recipe than matrices, as with Muon.

    Args:
        matrix_bytes: For each parameter of a matrix: 10 with Muon.
        embedding_bytes: For each parameter of embeddings: 14 with AdamW.
        embedding_parameter_count: Parameters of token embedding and output head.
        parameter_count: All parameters.

    Example:
        >>> float(mixed_recipe_bytes(10.0, embedding_bytes=14.0, embedding_parameter_count=1e9,
        ...     parameter_count=8e9))
        10.5
    """
    return matrix_bytes + (embedding_bytes - matrix_bytes) * embedding_parameter_count / parameter_count


@formula(
    r"P_a = 2\,r\,h\,m\,L",
    unit="count",
    label="Parameters of adapters",
    source="workload facts, section 3: r (d_in + d_out) for each matrix",
    symbols={
        "adapter_rank_count": "r",
        "hidden_count": "h",
        "matrix_count": "m",
        "layer_count": "L",
    },
    validity="adapted matrices are square, h by h: query and output; grouped keys and values are smaller",
)
def adapter_parameter_count(
    adapter_rank_count: Number, *, hidden_count: Number, matrix_count: Number, layer_count: Number
) -> Number:
    """Parameters of low-rank adapters, which are all that a LoRA run saves.

    Args:
        adapter_rank_count: Rank of the adapters.
        hidden_count: Width of the model.
        matrix_count: Adapted matrices in each layer.
        layer_count: Layers.

    Example:
        >>> float(adapter_parameter_count(1.0, hidden_count=12288.0, matrix_count=2.0, layer_count=96.0))
        4718592.0
    """
    return 2.0 * adapter_rank_count * hidden_count * matrix_count * layer_count


@formula(
    r"P_a = \alpha\,P",
    unit="count",
    label="Parameters of adapters",
    source="assumption, where neither their number nor the model's shape is stated",
    symbols={"parameter_count": "P", "adapter_fraction": r"\alpha"},
)
def assumed_adapter_count(parameter_count: Number, *, adapter_fraction: Number) -> Number:
    """Parameters of adapters as a share of the model's.

    Args:
        parameter_count: Parameters of the base model.
        adapter_fraction: Share of them: rank 16 on all matrices of a 7B model is 0.6 percent.

    Example:
        >>> float(assumed_adapter_count(7e9, adapter_fraction=0.006))
        42000000.0
    """
    return parameter_count * adapter_fraction
