"""Vision and audio encoders, alone or as towers of a model of several kinds of input."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from planner.architectures.config import Config
from planner.architectures.heads import Target, labels_of
from planner.architectures.tally import (
    ATTENTION,
    AUDIO,
    CONVOLUTION,
    HEAD,
    MLP,
    NORMS,
    PATCHES,
    POSITIONS,
    PROJECTOR,
    VISION,
    Tally,
    gated_mlp,
    layer_norm,
    linear,
    plain_mlp,
)


def side(config: Config, key: str) -> int:
    """A stated side of a square; the first of two where the file states both."""
    value = config.raw(key)
    return config.sizes(key)[0] if isinstance(value, list) and value else config.size(key)


def area(config: Config, key: str) -> int:
    """Area of a stated square or rectangle."""
    sides = config.sizes(key)
    return sides[0] * sides[-1] if sides else config.size(key) ** 2


def patches(config: Config) -> int:
    """Patches of one image."""
    patch = side(config, "patch_size")
    if patch < 1:
        raise config.refuse("patch_size", f"a side of {patch}; a patch has at least one pixel")
    return (side(config, "image_size") // patch) ** 2


def patch_map(config: Config, *, bias: bool, channels: str = "num_channels", frames: int = 1) -> int:
    """The convolution that turns patches into vectors."""
    inputs = config.size(channels) * frames * area(config, "patch_size")
    return linear(inputs, config.size("hidden_size"), bias=bias)


def transformer(
    tally: Tally,
    *,
    layers: int,
    hidden: int,
    inner: int,
    bias: bool = True,
    key_bias: bool = True,
    norms_count: int = 2,
    mlp_bias: bool = True,
) -> None:
    """Count plain encoder layers: four projections, an MLP and layer norms with bias."""
    projections = 4 * linear(hidden, hidden, bias=bias)
    tally.add(ATTENTION, layers * (projections - (hidden if bias and not key_bias else 0)))
    tally.add(MLP, layers * plain_mlp(hidden, inner, bias=mlp_bias))
    tally.add(NORMS, layers * norms_count * layer_norm(hidden))


def vit(config: Config) -> Tally:
    """A class token, positions, patches with bias, a final norm."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    tally = Tally()
    tally.add(PATCHES, patch_map(config, bias=True) + hidden)
    tally.add(POSITIONS, (patches(config) + 1) * hidden)
    transformer(tally, layers=layers, hidden=hidden, inner=config.size("intermediate_size"))
    if not config.flag("qkv_bias", otherwise=True):
        tally.add(ATTENTION, -3 * hidden * layers)
    tally.add(NORMS, layer_norm(hidden))
    return tally


def dinov2(config: Config) -> Tally:
    """As vit with a mask token and two scales in each layer; the MLP may be gated."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    inner = int(config.number("mlp_ratio", otherwise=4) * hidden)
    tally = Tally()
    tally.add(PATCHES, patch_map(config, bias=True) + 2 * hidden)
    tally.add(POSITIONS, (patches(config) + 1) * hidden)
    transformer(tally, layers=layers, hidden=hidden, inner=inner)
    if config.flag("use_swiglu_ffn"):
        gated = (inner * 2 // 3 + 7) // 8 * 8
        swiglu = linear(hidden, 2 * gated, bias=True) + linear(gated, hidden, bias=True)
        tally.add(MLP, layers * (swiglu - plain_mlp(hidden, inner, bias=True)))
    if not config.flag("qkv_bias", otherwise=True):
        tally.add(ATTENTION, -3 * hidden * layers)
    tally.add(NORMS, layer_norm(hidden) + 2 * layers * hidden)
    return tally


def image_head(config: Config, tally: Tally, target: Target) -> None:
    """A classifier over the class token, or the pooler of a bare model."""
    hidden = config.size("hidden_size")
    wide = 2 * hidden if config.family == "dinov2" else hidden
    if target.task == "image":
        tally.add(HEAD, linear(wide, labels_of(config), bias=True))
    elif target.architecture == "ViTModel":
        tally.add(HEAD, linear(hidden, hidden, bias=True))


def clip_vision(config: Config) -> Tally:
    """A class token, positions, patches without bias, norms before and after."""
    hidden = config.size("hidden_size")
    tally = Tally()
    tally.add(PATCHES, patch_map(config, bias=False) + hidden)
    tally.add(POSITIONS, (patches(config) + 1) * hidden)
    transformer(
        tally, layers=config.size("num_hidden_layers"), hidden=hidden, inner=config.size("intermediate_size")
    )
    tally.add(NORMS, 2 * layer_norm(hidden))
    return tally


def siglip_vision(config: Config) -> Tally:
    """Positions, patches with bias, a norm after, and an attention pooling head if it is asked for."""
    hidden, inner = config.size("hidden_size"), config.size("intermediate_size")
    tally = Tally()
    tally.add(PATCHES, patch_map(config, bias=True))
    tally.add(POSITIONS, patches(config) * hidden)
    transformer(tally, layers=config.size("num_hidden_layers"), hidden=hidden, inner=inner)
    tally.add(NORMS, layer_norm(hidden))
    if config.flag("vision_use_head", otherwise=True):
        pooling = hidden + 4 * linear(hidden, hidden, bias=True) + layer_norm(hidden)
        tally.add(HEAD, pooling + plain_mlp(hidden, inner, bias=True))
    return tally


def idefics_vision(config: Config) -> Tally:
    """As siglip without the pooling head."""
    hidden = config.size("hidden_size")
    tally = Tally()
    tally.add(PATCHES, patch_map(config, bias=True))
    tally.add(POSITIONS, patches(config) * hidden)
    transformer(
        tally, layers=config.size("num_hidden_layers"), hidden=hidden, inner=config.size("intermediate_size")
    )
    tally.add(NORMS, layer_norm(hidden))
    return tally


def pixtral_vision(config: Config) -> Tally:
    """Rotary positions, RMS norms, gated MLPs, no bias."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    tally = Tally()
    tally.add(PATCHES, patch_map(config, bias=False))
    tally.add(ATTENTION, layers * 4 * hidden * hidden)
    tally.add(MLP, layers * gated_mlp(hidden, config.size("intermediate_size")))
    tally.add(NORMS, (2 * layers + 1) * hidden)
    return tally


def internvl_vision(config: Config) -> Tally:
    """A class token, positions, two scales in each layer; the bias of the projections is an option."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    rms = config.word("norm_type", otherwise="layer_norm") == "rms_norm"
    tally = Tally()
    token = 2 * hidden if config.flag("use_mask_token") else hidden
    tally.add(PATCHES, patch_map(config, bias=True) + token)
    if config.flag("use_absolute_position_embeddings", otherwise=True):
        tally.add(POSITIONS, (patches(config) + 1) * hidden)
    inward = linear(hidden, 3 * hidden, bias=config.flag("attention_bias"))
    tally.add(ATTENTION, layers * (inward + linear(hidden, hidden, bias=True)))
    tally.add(MLP, layers * plain_mlp(hidden, config.size("intermediate_size"), bias=True))
    tally.add(NORMS, layers * (2 * layer_norm(hidden, bias=not rms) + 2 * hidden))
    if config.flag("use_qk_norm"):
        tally.add(NORMS, layers * 2 * hidden)
    if not config.flag("use_mean_pooling", otherwise=True):
        tally.add(NORMS, layer_norm(hidden))
    return tally


def llama4_vision(config: Config) -> Tally:
    """A class token, positions, norms before and after, and an adapter behind a pixel shuffle."""
    hidden, inner = config.size("hidden_size"), config.size("intermediate_size")
    tally = Tally()
    tally.add(PATCHES, patch_map(config, bias=False) + hidden)
    tally.add(POSITIONS, (patches(config) + 1) * hidden)
    transformer(tally, layers=config.size("num_hidden_layers"), hidden=hidden, inner=inner)
    tally.add(NORMS, 2 * layer_norm(hidden))
    outward = config.size("projector_output_dim")
    tally.add(PROJECTOR, linear(inner, config.size("projector_input_dim")) + outward * outward)
    return tally


def mllama_vision(config: Config) -> Tally:
    """Tiles with position tables of their own, local and then gated global layers."""
    hidden, inner = config.size("hidden_size"), config.size("intermediate_size")
    tiles, cells = config.size("max_num_tiles"), patches(config) + 1
    ratios = config.raw("supported_aspect_ratios")
    kinds = (len(ratios) if isinstance(ratios, list) else 8) + 1
    layers, gated = config.size("num_hidden_layers"), config.size("num_global_layers")
    tally = Tally()
    tally.add(PATCHES, patch_map(config, bias=False) + hidden)
    table = cells * hidden + kinds * tiles * cells * hidden + 1
    tally.add(POSITIONS, table + 2 * (kinds * tiles * hidden + 1))
    transformer(tally, layers=layers + gated, hidden=hidden, inner=inner, bias=False)
    tally.add(ATTENTION, 2 * gated)
    tally.add(NORMS, 2 * layer_norm(hidden))
    return tally


def _merged(config: Config, *, width: int, out: int, norm: int) -> int:
    """A merger of neighbouring patches: a norm and two maps."""
    wide = width * config.size("spatial_merge_size") ** 2
    return norm + linear(wide, wide, bias=True) + linear(wide, out, bias=True)


def qwen2_vision(config: Config) -> Tally:
    """Frames in pairs, fused projections, a merger."""
    width, layers = config.size("embed_dim"), config.size("depth")
    inputs = config.size("in_channels") * config.size("temporal_patch_size") * area(config, "patch_size")
    tally = Tally()
    tally.add(PATCHES, linear(inputs, width))
    inner = int(config.number("mlp_ratio", otherwise=4) * width)
    transformer(tally, layers=layers, hidden=width, inner=inner)
    merger = _merged(config, width=width, out=config.size("hidden_size"), norm=layer_norm(width))
    tally.add(PROJECTOR, merger)
    return tally


def qwen2_5_vision(config: Config) -> Tally:
    """As before with RMS norms and gated MLPs with bias."""
    width, layers = config.size("hidden_size"), config.size("depth")
    frames = config.size("temporal_patch_size")
    tally = Tally()
    tally.add(PATCHES, patch_map(config, bias=False, channels="in_channels", frames=frames))
    tally.add(ATTENTION, layers * 4 * linear(width, width, bias=True))
    tally.add(MLP, layers * gated_mlp(width, config.size("intermediate_size"), bias=True))
    tally.add(NORMS, layers * 2 * width)
    tally.add(PROJECTOR, _merged(config, width=width, out=config.size("out_hidden_size"), norm=width))
    return tally


def qwen3_vision(config: Config) -> Tally:
    """A position table, layer norms, one merger at the end and one for each layer that feeds deep."""
    width, layers = config.size("hidden_size"), config.size("depth")
    frames = config.size("temporal_patch_size")
    deep = config.sizes("deepstack_visual_indexes") if config.has("deepstack_visual_indexes") else None
    out, wide = config.size("out_hidden_size"), width * config.size("spatial_merge_size") ** 2
    usual = 3 if config.family.startswith("qwen3_vl") else 0
    tally = Tally()
    tally.add(PATCHES, patch_map(config, bias=True, channels="in_channels", frames=frames))
    tally.add(POSITIONS, config.size("num_position_embeddings") * width)
    transformer(tally, layers=layers, hidden=width, inner=config.size("intermediate_size"))
    tally.add(PROJECTOR, _merged(config, width=width, out=out, norm=layer_norm(width)))
    count = (usual if deep is None else len(deep)) if usual else 0
    tally.add(PROJECTOR, count * _merged(config, width=width, out=out, norm=layer_norm(wide)))
    return tally


def kimi_vision(config: Config) -> Tally:
    """A learnt position grid, patches with bias, a final norm."""
    hidden = config.size("hidden_size")
    grid = config.size("pos_emb_height") * config.size("pos_emb_width")
    tally = Tally()
    tally.add(PATCHES, linear(3 * area(config, "patch_size"), hidden, bias=True))
    tally.add(POSITIONS, grid * hidden)
    transformer(
        tally, layers=config.size("num_hidden_layers"), hidden=hidden, inner=config.size("intermediate_size")
    )
    tally.add(NORMS, layer_norm(hidden))
    return tally


def whisper_encoder(config: Config) -> Tally:
    """Two convolutions, positions, layers whose keys have no bias."""
    hidden = config.size("hidden_size")
    tally = Tally()
    tally.add(
        CONVOLUTION,
        linear(3 * config.size("num_mel_bins"), hidden, bias=True) + linear(3 * hidden, hidden, bias=True),
    )
    tally.add(POSITIONS, config.size("max_source_positions") * hidden)
    transformer(
        tally,
        layers=config.size("num_hidden_layers"),
        hidden=hidden,
        inner=config.size("intermediate_size"),
        key_bias=False,
    )
    tally.add(NORMS, layer_norm(hidden))
    return tally


TOWERS: Mapping[str, tuple[str, Callable[[Config], Tally]]] = {
    "clip_vision_model": (VISION, clip_vision),
    "siglip_vision_model": (VISION, siglip_vision),
    "pixtral": (VISION, pixtral_vision),
    "vit": (VISION, vit),
    "idefics3_vision": (VISION, idefics_vision),
    "smolvlm_vision": (VISION, idefics_vision),
    "internvl_vision": (VISION, internvl_vision),
    "llama4_vision_model": (VISION, llama4_vision),
    "mllama_vision_model": (VISION, mllama_vision),
    "qwen2_vl_vision": (VISION, qwen2_vision),
    "qwen2_5_vl_vision": (VISION, qwen2_5_vision),
    "qwen3_vl_vision": (VISION, qwen3_vision),
    "qwen3_vl_moe_vision": (VISION, qwen3_vision),
    "qwen3_5_vision": (VISION, qwen3_vision),
    "qwen3_5_moe_vision": (VISION, qwen3_vision),
    "kimi_k25_vision": (VISION, kimi_vision),
    "voxtral_encoder": (AUDIO, whisper_encoder),
}
"""Towers by `model_type`: the part that they count to, and what counts them."""
