"""Tensors by name: which part of a model each belongs to, and which are no parameters at all."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from planner.architectures.tally import (
    ATTENTION,
    AUDIO,
    BUFFERS,
    CONVOLUTION,
    COPIES,
    EMBEDDING,
    HEAD,
    MIXER,
    MLP,
    NORMS,
    OTHER,
    POSITIONS,
    PREDICTION,
    PROJECTOR,
    ROUTED,
    ROUTER,
    SCALES,
    SHARED,
    VISION,
)

DTYPE_BITS = {
    "BOOL": 8, "U8": 8, "I8": 8, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F4": 4, "F6_E2M3": 6,
    "F6_E3M2": 6, "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32,
    "I64": 64, "U64": 64, "F64": 64, "C64": 64,
}  # fmt: skip
"""Bits of one number by the safetensors name of its format."""

_SCALES = re.compile(
    r"(scale(_inv|_2|s)?|_scales|qzeros|g_idx|absmax|quant_map|quant_state[\w.]*|zero_point|weight_shape)$"
)
_BUFFERS = re.compile(
    r"(inv_freq|(^|\.)(attn|attention)\.(masked_)?bias|position_ids|e_score_correction_bias|expert_bias"
    r"|num_batches_tracked|running_mean|running_var|layer_scalar)$"
)
_RULES = tuple(
    (re.compile(pattern), part)
    for pattern, part in (
        (r"projector|merger|connector|modality_projection|mm_input_projection", PROJECTOR),
        (r"(^|\.)(vision|visual|vit|image|img)[\w]*\.|vision_tower|vision_model|^v\.", VISION),
        (r"(^|\.)(audio|speech)[\w]*\.|audio_tower", AUDIO),
        (r"shared_expert|shared_mlp", SHARED),
        (r"(^|\.)experts?(\.|_)|expert_\d+\.", ROUTED),
        (r"router|\.gate\.(weight|bias|wg)|moe\.gate|mlp\.gate\.", ROUTER),
        (
            r"wpe|embed_positions|position_embedding|relative_attention_bias|rel_embeddings|pos_embed",
            POSITIONS,
        ),
        (
            r"embed_tokens|wte|word_embeddings\.|tok_embeddings|(^|\.)embeddings?\.weight|embed_in|^shared\.",
            EMBEDDING,
        ),
        (
            r"lm_head|embed_out|^output\.|(^|\.)score\.|classifier|(^|\.)cls\.|pooler|qa_outputs|predictions",
            HEAD,
        ),
        (r"norm|(^|\.)ln\d?(_\w+)?\.|layernorm|LayerNorm|(^|\.)ln_", NORMS),
        (r"mamba|mixer|ssm|linear_attn|temporal_block|rg_lru|time_mix", MIXER),
        (r"attn|attention|Attention|[qkvo]_proj|wq|wk|wv|wo\.|query|(^|\.)(key|value)\.", ATTENTION),
        (r"mlp|ffn|feed_forward|fc\d|fc_|dense_|Dense|intermediate|feedforward|(^|\.)w[123]\.", MLP),
        (r"conv", CONVOLUTION),
    )
)
_PREDICTION = re.compile(r"^(.*?layers\.\d+\.)(eh_proj|enorm|hnorm|shared_head)\b|^(mtp\.|model\.mtp\.)")
_COPIED = re.compile(r"(embed_tokens|shared_head\.head)\.weight$")
_DIGITS = re.compile(r"\d+")
_LAYERS = tuple(
    re.compile(rf"{word}\.(\d{{1,5}})\.") for word in ("layers", r"\.h", "^h", "blocks", "layer", "block")
)
_EXPERT = re.compile(r"experts\.(\d{1,5})\.")


@functools.lru_cache(maxsize=4096)
def part_of(name: str) -> str:
    """The part of a model that a tensor belongs to, judged by its name.

    Names that differ in their numbers only belong to the same part: `unnumbered` saves asking for each.
    """
    if _SCALES.search(name):
        return SCALES
    if _BUFFERS.search(name):
        return BUFFERS
    for pattern, part in _RULES:
        if pattern.search(name):
            return part
    return OTHER


def unnumbered(name: str) -> str:
    """The name with each number as a zero."""
    return _DIGITS.sub("0", name)


def prediction_prefixes(names: Iterable[str]) -> tuple[str, ...]:
    """What the names of extra prediction layers begin with; empty if there are none."""
    found = (_PREDICTION.match(name) for name in names)
    return tuple(dict.fromkeys(match.group(1) or match.group(3) for match in found if match))


def prediction_part(name: str) -> str:
    """Part of a tensor of an extra prediction layer: the layer itself, or a copied table."""
    return COPIES if _COPIED.search(name) else BUFFERS if _BUFFERS.search(name) else PREDICTION


def layers_in(names: Iterable[str]) -> int | None:
    """Layers that the names speak of; None if they number none."""
    joined = "\n".join(names)
    return next((count for pattern in _LAYERS if (count := _highest(pattern, joined))), None)


def experts_in(names: Iterable[str]) -> int:
    """Routed experts that the names number; 0 if they number none."""
    return _highest(_EXPERT, "\n".join(names)) or 0


def _highest(pattern: re.Pattern[str], joined: str) -> int | None:
    """One more than the highest number that a pattern finds; an index has half a million names."""
    found = set(pattern.findall(joined))
    return max(map(int, found)) + 1 if found else None
