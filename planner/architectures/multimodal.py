"""Models that join a text model with vision or audio towers."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass

from planner.architectures.blocks import head_norm, heads_of
from planner.architectures.config import Config
from planner.architectures.heads import Target, decoder_head
from planner.architectures.tally import (
    ATTENTION,
    EMBEDDING,
    PROJECTOR,
    Tally,
    layer_norm,
    linear,
)
from planner.architectures.towers import TOWERS

Body = Callable[[Config], Tally]
Projector = Callable[[Config, Config, Config], int]
"""Numbers between tower and text, by the whole, the text's and the tower's configuration."""


@dataclass(frozen=True, slots=True)
class Joined:
    """How a model is put together.

    Attributes:
        text: Family of the text model, where the file does not name it.
        tower: Family of the tower, where the file does not name it.
        projector: Counts what stands between them.
        key: Where the tower's configuration stands.
        own_tower: Whether the tower is this family's own, whatever name the file gives it.
        own_text: Whether the text model's defaults are this family's own.
        tower_needed: Whether the tower has to be in the file, its class having other defaults alone.
        own_head: Whether the head is never the embedding, whatever the file says.
    """

    text: str
    tower: str
    projector: Projector
    key: str = "vision_config"
    own_tower: bool = False
    own_text: bool = False
    own_head: bool = False
    tower_needed: bool = False


def _two_maps(whole: Config, text: Config, tower: Config) -> int:
    """One map into the text's width and one within it, for each layer that is read."""
    read = (
        whole.sizes("vision_feature_layer") if isinstance(whole.raw("vision_feature_layer"), list) else (0,)
    )
    hidden, bias = text.size("hidden_size"), whole.flag("multimodal_projector_bias", otherwise=True)
    return linear(len(read) * tower.size("hidden_size"), hidden, bias=bias) + linear(
        hidden, hidden, bias=bias
    )


def _newline(whole: Config, text: Config, tower: Config) -> int:
    """The same, with a learnt line break of images."""
    return _two_maps(whole, text, tower) + text.size("hidden_size")


def _one_map(whole: Config, text: Config, tower: Config) -> int:
    del text
    return linear(tower.size("hidden_size"), whole.size("projection_dim"), bias=True)


def _merging(whole: Config, text: Config, tower: Config) -> int:
    """A norm, a merger of neighbouring patches, and two maps."""
    hidden, wide = text.size("hidden_size"), tower.size("hidden_size")
    merger = wide + linear(wide * whole.size("spatial_merge_size") ** 2, wide)
    bias = whole.flag("multimodal_projector_bias")
    return merger + linear(wide, hidden, bias=bias) + linear(hidden, hidden, bias=bias)


def _soft(_whole: Config, text: Config, tower: Config) -> int:
    """A norm and one map."""
    wide = tower.size("hidden_size")
    return wide + linear(wide, text.size("hidden_size"))


def _nothing(_whole: Config, _text: Config, _tower: Config) -> int:
    """The tower ends in a projector of its own."""
    return 0


def _llama4(_whole: Config, text: Config, tower: Config) -> int:
    return linear(tower.size("vision_output_dim"), text.size("hidden_size"))


def _mllama(_whole: Config, text: Config, tower: Config) -> int:
    return linear(tower.size("vision_output_dim"), text.size("hidden_size"), bias=True)


def _shuffled(whole: Config, text: Config, tower: Config) -> int:
    """One map behind a pixel shuffle."""
    wide = tower.size("hidden_size") * whole.size("scale_factor", otherwise=2) ** 2
    return linear(wide, text.size("hidden_size"))


def _internvl(whole: Config, text: Config, tower: Config) -> int:
    times = int(1 / whole.number("downsample_ratio", otherwise=0.5)) ** 2
    wide, hidden = tower.size("hidden_size") * times, text.size("hidden_size")
    return layer_norm(wide) + linear(wide, hidden, bias=True) + linear(hidden, hidden, bias=True)


def _kimi(whole: Config, text: Config, tower: Config) -> int:
    kernel = tower.sizes("merge_kernel_size") or (2, 2)
    width = whole.size("projection_hidden_size", otherwise=tower.size("hidden_size"))
    wide = width * kernel[0] * kernel[-1]
    return (
        layer_norm(width) + linear(wide, wide, bias=True) + linear(wide, text.size("hidden_size"), bias=True)
    )


def _voxtral(_whole: Config, text: Config, tower: Config) -> int:
    hidden = text.size("hidden_size")
    return linear(tower.size("intermediate_size"), hidden) + hidden * hidden


JOINED: Mapping[str, Joined] = {
    "llava": Joined("llama", "clip_vision_model", _two_maps, tower_needed=True),
    "llava_next": Joined("llama", "clip_vision_model", _newline, tower_needed=True),
    "llava_onevision": Joined("qwen2", "siglip_vision_model", _newline, tower_needed=True),
    "paligemma": Joined("gemma", "siglip_vision_model", _one_map, tower_needed=True),
    "mistral3": Joined("mistral", "pixtral", _merging, tower_needed=True),
    "gemma3": Joined("gemma3_text", "siglip_vision_model", _soft),
    "llama4": Joined("llama4_text", "llama4_vision_model", _llama4),
    "mllama": Joined("mllama_text_model", "mllama_vision_model", _mllama, own_head=True),
    "idefics3": Joined("llama", "idefics3_vision", _shuffled, own_tower=True),
    "smolvlm": Joined("llama", "smolvlm_vision", _shuffled, own_tower=True),
    "internvl": Joined("qwen2", "internvl_vision", _internvl),
    "qwen2_vl": Joined("qwen2_vl_text", "qwen2_vl_vision", _nothing, own_tower=True),
    "qwen2_5_vl": Joined("qwen2_5_vl_text", "qwen2_5_vl_vision", _nothing, own_tower=True),
    "qwen3_vl": Joined("qwen3_vl_text", "qwen3_vl_vision", _nothing, own_tower=True),
    "qwen3_vl_moe": Joined("qwen3_vl_moe_text", "qwen3_vl_moe_vision", _nothing, own_tower=True),
    "qwen3_5": Joined("qwen3_5_text", "qwen3_5_vision", _nothing, own_tower=True),
    "qwen3_5_moe": Joined("qwen3_5_moe_text", "qwen3_5_moe_vision", _nothing, own_tower=True),
    "kimi_k25": Joined("deepseek_v3", "kimi_k25_vision", _kimi, own_tower=True),
    "voxtral": Joined(
        "voxtral_text", "voxtral_encoder", _voxtral, key="audio_config", own_text=True, own_head=True
    ),
}
"""Exact models of several kinds of input by `model_type`."""


def text_of(config: Config) -> Config:
    """Configuration of the text model: nested, or spread over the file itself in older ones."""
    joined = JOINED[config.family]
    if config.has("text_config") or "hidden_size" not in config.values:
        child = config.child("text_config", joined.text)
        if not joined.own_text:
            return child
        return Config(child.values, joined.text, config.notes, path=child.path)
    return Config(config.values, joined.text, config.notes, path=config.path)


def tower_of(config: Config) -> Config:
    """Configuration of the tower."""
    joined = JOINED[config.family]
    if joined.tower_needed and not config.has(joined.key):
        raise config.refuse(joined.key, "not in the file; the configuration of the vision tower is needed")
    child = config.child(joined.key, joined.tower)
    if joined.own_tower and child.family != joined.tower:
        return Config(child.values, joined.tower, config.notes, path=child.path)
    return child


def parts_known(config: Config, texts: Container[str]) -> bool:
    """Whether both the text model and the tower are of families that are counted exactly."""
    return text_of(config).family in texts and tower_of(config).family in TOWERS


def joined_body(config: Config, bodies: Mapping[str, Body]) -> Tally:
    """Text model, tower and what stands between them; text families are counted by `bodies`."""
    joined, text, tower = JOINED[config.family], text_of(config), tower_of(config)
    tally = Tally()
    tally.take(bodies[text.family](text))
    part, count = TOWERS[tower.family]
    tally.take(count(tower), into=part)
    tally.add(PROJECTOR, joined.projector(config, text, tower))
    return tally


def joined_head(config: Config, tally: Tally, target: Target) -> None:
    """Head of the text model; what the file says of tying counts first, wherever it stands."""
    text = text_of(config)
    if JOINED[config.family].own_head:
        decoder_head(text, tally, target, tied=False)
        return
    stated = [place for place in (config, text) if place.has("tie_word_embeddings")]
    known = [place for place in (text, config) if place.default("tie_word_embeddings") is not None]
    place = (stated or known or [text])[0]
    decoder_head(text, tally, target, tied=place.flag("tie_word_embeddings"))


def mllama_text(config: Config, llama: Body) -> Tally:
    """A llama in which some layers attend to the image instead of the text."""
    crossing = config.sizes("cross_attention_layers") if config.has("cross_attention_layers") else _CROSSING
    layers = config.size("num_hidden_layers")
    count, heads = len({i for i in crossing if i < layers}), heads_of(config, stated_size=False)
    tally = llama(config)
    tally.add(ATTENTION, count * (2 + head_norm(heads)))
    tally.add(
        EMBEDDING, 8 * heads.hidden
    )  # the class adds eight rows: the word for an image, and a round number
    return tally


_CROSSING = (3, 8, 13, 18, 23, 28, 33, 38)
"""Layers that attend to the image where the file lists none: the class default."""
