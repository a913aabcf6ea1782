"""Models of images, of speech, and of images with their captions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from planner.architectures.config import Config
from planner.architectures.heads import Target, Task, labels_of
from planner.architectures.tally import (
    ATTENTION,
    CONVOLUTION,
    EMBEDDING,
    HEAD,
    MLP,
    NORMS,
    OTHER,
    PATCHES,
    POSITIONS,
    PROJECTOR,
    VISION,
    Tally,
    layer_norm,
    linear,
    plain_mlp,
)
from planner.architectures.towers import TOWERS, area, clip_vision, patches, siglip_vision, transformer


def _caption_text(config: Config) -> Tally:
    """A text encoder with a position table and a final norm."""
    hidden = config.size("hidden_size")
    tally = Tally()
    tally.add(EMBEDDING, config.size("vocab_size") * hidden)
    tally.add(POSITIONS, config.size("max_position_embeddings") * hidden)
    transformer(
        tally,
        layers=config.size("num_hidden_layers"),
        hidden=hidden,
        inner=config.size("intermediate_size"),
    )
    tally.add(NORMS, layer_norm(hidden))
    return tally


def clip(config: Config) -> Tally:
    """Text and image encoder, a map out of each, and a temperature."""
    text, tower = (
        config.child("text_config", "clip_text_model"),
        config.child("vision_config", "clip_vision_model"),
    )
    tally = _caption_text(text)
    tally.take(clip_vision(tower), into=VISION)
    tally.add(
        PROJECTOR, (text.size("hidden_size") + tower.size("hidden_size")) * config.size("projection_dim")
    )
    tally.add(OTHER, 1)
    return tally


def siglip(config: Config) -> Tally:
    """Text and image encoder, a map out of the text, a temperature and a bias."""
    text = config.child("text_config", "siglip_text_model")
    hidden = text.size("hidden_size")
    tally = _caption_text(text)
    tally.take(siglip_vision(config.child("vision_config", "siglip_vision_model")), into=VISION)
    tally.add(PROJECTOR, linear(hidden, text.optional("projection_size") or hidden, bias=True))
    tally.add(OTHER, 2)
    return tally


def wav2vec2(config: Config) -> Tally:
    """Convolutions over sound, a position convolution, and plain encoder layers."""
    hidden = config.size("hidden_size")
    channels, kernels = config.sizes("conv_dim"), config.sizes("conv_kernel")
    if not channels or len(channels) != len(kernels):
        raise config.refuse("conv_kernel", f"{len(kernels)} kernels for {len(channels)} convolutions")
    for key in ("add_adapter", "conv_pos_batch_norm"):
        if config.flag(key):
            raise config.refuse(key, "this part of speech models is not counted here; false is wanted")
    tally = Tally()
    tally.add(CONVOLUTION, _sound_convolutions(config, channels, kernels))
    normed = channels if config.word("feat_extract_norm", otherwise="group") == "layer" else channels[:1]
    projected = layer_norm(channels[-1]) if config.flag("feat_proj_layer_norm", otherwise=True) else 0
    tally.add(NORMS, sum(layer_norm(width) for width in normed) + projected + layer_norm(hidden))
    tally.add(PROJECTOR, linear(channels[-1], hidden, bias=True))
    span, groups = config.size("num_conv_pos_embeddings"), config.size("num_conv_pos_embedding_groups")
    tally.add(POSITIONS, hidden * (hidden // groups) * span + span + hidden)
    transformer(
        tally, layers=config.size("num_hidden_layers"), hidden=hidden, inner=config.size("intermediate_size")
    )
    tally.add(EMBEDDING, hidden if _masks(config) else 0)
    return tally


def _masks(config: Config) -> bool:
    """Whether the class has a vector for what is masked in training."""
    keys = (("mask_time_prob", 0.05), ("mask_feature_prob", 0.0))
    return any((config.raw(key) if config.has(key) else usual) not in (0, 0.0) for key, usual in keys)


def _sound_convolutions(config: Config, channels: Sequence[int], kernels: Sequence[int]) -> int:
    bias = config.flag("conv_bias")
    inputs = (1, *channels[:-1])
    return sum(linear(i * k, o, bias=bias) for i, o, k in zip(inputs, channels, kernels, strict=True))


def speech_head(config: Config, tally: Tally, target: Target) -> None:
    """Letters over the sound, if the class has them."""
    if target.task == "letters":
        tally.add(HEAD, linear(config.size("hidden_size"), config.size("vocab_size"), bias=True))


def _stages(config: Config, key: str) -> tuple[int, ...]:
    depths = config.sizes(key)
    if not depths or sum(depths) > 10_000:
        raise config.refuse(
            key, f"{len(depths)} stages with {sum(depths)} layers; between 1 and 10,000 are wanted"
        )
    return depths


def swin(config: Config) -> Tally:
    """Windowed attention in stages, each half as large and twice as wide as the one before."""
    depths, heads = _stages(config, "depths"), config.sizes("num_heads")
    if len(heads) != len(depths):
        raise config.refuse("num_heads", f"{len(heads)} numbers for {len(depths)} stages")
    width, bias = config.size("embed_dim"), config.flag("qkv_bias")
    ratio, window = config.number("mlp_ratio", otherwise=4), config.size("window_size")
    tally = Tally()
    tally.add(PATCHES, linear(config.size("num_channels") * area(config, "patch_size"), width, bias=True))
    tally.add(POSITIONS, patches(config) * width if config.flag("use_absolute_embeddings") else 0)
    tally.add(NORMS, layer_norm(width))
    for stage, (depth, count) in enumerate(zip(depths, heads, strict=True)):
        wide = width << stage
        tally.add(ATTENTION, depth * (linear(wide, 3 * wide, bias=bias) + linear(wide, wide, bias=True)))
        tally.add(POSITIONS, depth * (2 * window - 1) ** 2 * count)
        tally.add(MLP, depth * plain_mlp(wide, int(ratio * wide), bias=True))
        tally.add(NORMS, depth * 2 * layer_norm(wide))
        if stage < len(depths) - 1:
            tally.add(PROJECTOR, linear(4 * wide, 2 * wide))
            tally.add(NORMS, layer_norm(4 * wide))
    tally.add(NORMS, layer_norm(width << (len(depths) - 1)))
    return tally


def convnext(config: Config) -> Tally:
    """Depthwise convolutions and two maps in each layer, scaled."""
    depths, widths = _stages(config, "depths"), config.sizes("hidden_sizes")
    if len(widths) != len(depths):
        raise config.refuse("hidden_sizes", f"{len(widths)} widths for {len(depths)} stages")
    scaled = config.raw("layer_scale_init_value") not in (0, 0.0)
    tally = Tally()
    tally.add(PATCHES, linear(config.size("num_channels") * area(config, "patch_size"), widths[0], bias=True))
    tally.add(NORMS, layer_norm(widths[0]) + layer_norm(widths[-1]))
    for stage, (depth, wide) in enumerate(zip(depths, widths, strict=True)):
        if stage:
            tally.add(NORMS, layer_norm(widths[stage - 1]))
            tally.add(CONVOLUTION, linear(4 * widths[stage - 1], wide, bias=True))
        tally.add(CONVOLUTION, depth * linear(49, wide, bias=True))
        tally.add(MLP, depth * plain_mlp(wide, 4 * wide, bias=True))
        tally.add(NORMS, depth * (layer_norm(wide) + (wide if scaled else 0)))
    return tally


def resnet(config: Config) -> Tally:
    """Residual blocks of convolutions, each followed by a batch norm."""
    depths, widths = _stages(config, "depths"), config.sizes("hidden_sizes")
    if len(widths) != len(depths):
        raise config.refuse("hidden_sizes", f"{len(widths)} widths for {len(depths)} stages")
    bottleneck = config.word("layer_type", otherwise="bottleneck") == "bottleneck"
    first = config.size("embedding_size")
    tally = Tally()
    _convolved(tally, config.size("num_channels"), first, side=7)
    for stage, (depth, out) in enumerate(zip(depths, widths, strict=True)):
        inward = widths[stage - 1] if stage else first
        if inward != out or stage or config.flag("downsample_in_first_stage"):
            _convolved(tally, inward, out, side=1)
        for layer in range(depth):
            _residual(tally, out if layer else inward, out, bottleneck=bottleneck)
    return tally


def _convolved(tally: Tally, inputs: int, outputs: int, *, side: int) -> None:
    """Count one convolution without bias and the batch norm after it."""
    tally.add(CONVOLUTION, inputs * outputs * side * side)
    tally.add(NORMS, 2 * outputs)


def _residual(tally: Tally, inputs: int, outputs: int, *, bottleneck: bool) -> None:
    if not bottleneck:
        _convolved(tally, inputs, outputs, side=3)
        _convolved(tally, outputs, outputs, side=3)
        return
    narrow = outputs // 4
    _convolved(tally, inputs, narrow, side=1)
    _convolved(tally, narrow, narrow, side=3)
    _convolved(tally, narrow, outputs, side=1)


def staged_head(config: Config, tally: Tally, target: Target) -> None:
    """A classifier over the last stage."""
    if target.task != "image":
        return
    widths = config.sizes("hidden_sizes")
    stages = len(config.sizes("depths"))
    wide = config.size("embed_dim") << (stages - 1) if config.family == "swin" else widths[-1]
    tally.add(HEAD, linear(wide, labels_of(config), bias=True))


def no_head(_config: Config, _tally: Tally, _target: Target) -> None:
    """Nothing stands on top."""


def tower_alone(config: Config) -> Tally:
    """A vision encoder in a file of its own."""
    return TOWERS[config.family][1](config)


Row = tuple[Callable[[Config], Tally], Callable[[Config, Tally, Target], None], Task, frozenset[str]]
PERCEPTION: Mapping[str, Row] = {
    "clip": (clip, no_head, "none", frozenset(("none",))),
    "siglip": (siglip, no_head, "none", frozenset(("none",))),
    "clip_vision_model": (tower_alone, no_head, "none", frozenset(("none",))),
    "siglip_vision_model": (tower_alone, no_head, "none", frozenset(("none",))),
    "wav2vec2": (wav2vec2, speech_head, "none", frozenset(("none", "letters"))),
    "hubert": (wav2vec2, speech_head, "none", frozenset(("none", "letters"))),
    "swin": (swin, staged_head, "image", frozenset(("none", "image"))),
    "convnext": (convnext, staged_head, "image", frozenset(("none", "image"))),
    "resnet": (resnet, staged_head, "image", frozenset(("none", "image"))),
}
"""Models of images and sound by `model_type`: body, head, usual class, and heads that are exact."""
