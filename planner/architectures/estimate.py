"""A figure for a decoder that is not known: counted as the present standard builds one, and said so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planner.architectures.blocks import Experts, add_experts, grouped_attention, heads_of
from planner.architectures.config import Config, Notes
from planner.architectures.latent import latent_attention
from planner.architectures.tally import (
    ATTENTION,
    EMBEDDING,
    HEAD,
    MLP,
    NORMS,
    PROJECTOR,
    VISION,
    Tally,
    gated_mlp,
    linear,
    plain_mlp,
)
from planner.architectures.towers import TOWERS, transformer

NAMES: Mapping[str, tuple[str, ...]] = {
    "hidden_size": ("n_embd", "d_model", "dim", "n_embed", "model_dim", "embed_dim", "emb_dim"),
    "num_hidden_layers": ("n_layer", "n_layers", "num_layers", "depth", "layer_num"),
    "num_attention_heads": ("n_head", "n_heads", "num_heads"),
    "num_key_value_heads": ("num_kv_heads", "n_kv_heads", "n_head_kv", "multi_query_group_num"),
    "head_dim": ("kv_channels", "d_head", "d_kv"),
    "intermediate_size": ("ffn_dim", "d_ff", "n_inner", "ffn_hidden_size", "inner_dim", "hidden_dim"),
    "vocab_size": ("padded_vocab_size", "n_vocab", "vocabulary_size"),
    "num_experts": ("n_routed_experts", "num_local_experts", "moe_num_experts"),
    "num_experts_per_tok": (
        "experts_per_token", "moe_topk", "moe_k", "moe_top_k", "top_k", "num_experts_per_token",
        "num_selected_experts",
    ),
    "moe_intermediate_size": ("expert_ffn_hidden_size", "moe_ffn_hidden_size", "expert_intermediate_size"),
    "n_shared_experts": ("num_shared_experts", "moe_num_shared_experts"),
    "first_k_dense_replace": ("num_dense_layers", "moe_layer_start_index"),
    "tie_word_embeddings": ("tied_embeddings", "tie_embedding", "share_embeddings"),
}  # fmt: skip
"""Names that other code has for the keys of the standard."""
NEEDED = ("hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size")
_GATED = ("silu", "swish", "swiglu", "glu")


def standard(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values under the standard's names."""
    found = dict(values)
    for name, others in NAMES.items():
        for other in others:
            if found.get(name) is None and values.get(other) is not None:
                found[name] = values[other]
    return found


def looks_like_decoder(values: Mapping[str, Any]) -> bool:
    """Whether a file states what every decoder's file states."""
    found = standard(values)
    return all(found.get(name) is not None for name in NEEDED)


def missing(values: Mapping[str, Any]) -> str:
    """What a decoder's file would have to state and this one does not."""
    found = standard(values)
    return ", ".join(name for name in NEEDED if found.get(name) is None)


def estimated(values: Mapping[str, Any], notes: Notes, *, path: str = "", head: bool = True) -> Tally:
    """Parameters of a decoder as the present standard builds one.

    Raises:
        ArchitectureError: A size is impossible.
    """
    config = Config(standard(values), "", notes, path=path)
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    experts = _experts(config)
    dense = layers - (experts.layers if experts else 0)
    tally = Tally()
    tally.add(EMBEDDING, config.size("vocab_size") * hidden)
    tally.add(ATTENTION, layers * _attention(config))
    tally.add(NORMS, (2 * layers + 1) * hidden)
    if dense:
        tally.add(MLP, dense * _mlp(config, hidden))
    if experts:
        add_experts(tally, experts)
    if head and not config.flag("tie_word_embeddings"):
        tally.add(HEAD, config.size("vocab_size") * hidden)
    notes.assume(
        "two norms in each layer and one at the end, no biases, "
        + ("head shared with the embedding" if config.flag("tie_word_embeddings") else "a head of its own")
    )
    return tally


def _attention(config: Config) -> int:
    if config.has("kv_lora_rank") and config.has("qk_nope_head_dim"):
        config.notes.assume("attention through latents, as the ranks in the file suggest")
        latent = latent_attention(config)
        return latent.maps + latent.norms
    config.notes.assume("attention as grouped query, key, value and output projections")
    return grouped_attention(heads_of(config))


def _mlp(config: Config, hidden: int) -> int:
    if not config.has("intermediate_size"):
        config.notes.assume("an MLP four times as wide as the layers, without a gate")
        return plain_mlp(hidden, 4 * hidden)
    words = " ".join(config.word(key) for key in ("hidden_act", "activation_function", "activation")).lower()
    gated = not words.strip() or any(name in words for name in _GATED)
    config.notes.assume(f"an MLP {'with' if gated else 'without'} a gate")
    return (gated_mlp if gated else plain_mlp)(hidden, config.size("intermediate_size"))


def _experts(config: Config) -> Experts | None:
    """Routed experts as far as the file names them; what it leaves open is noted as assumed."""
    if not config.has("num_experts") or config.count("num_experts") < 2:
        return None
    layers, hidden = config.size("num_hidden_layers"), config.size("hidden_size")
    count = config.size("num_experts")
    own = "moe_intermediate_size" if config.has("moe_intermediate_size") else "intermediate_size"
    one = gated_mlp(hidden, config.size(own))
    sparse = max(layers - config.count("first_k_dense_replace", otherwise=0), 0)
    config.notes.assume(f"{count} gated experts in {sparse} of {layers} layers")
    chosen = count
    if config.has("num_experts_per_tok"):
        chosen = config.size("num_experts_per_tok")
    else:
        config.notes.assume("every expert active (the file does not say how many are chosen)")
    shared = config.count("n_shared_experts", otherwise=0)
    return Experts(sparse, count, chosen, one, linear(hidden, count), shared * one)


def estimated_tower(values: Mapping[str, Any], notes: Notes, *, text_width: int) -> Tally:
    """A vision tower by its family, or as a plain vision transformer, and two maps into the text's width."""
    tally = Tally()
    named = values.get("model_type")
    tower = Config(standard(values), named if isinstance(named, str) else "", notes, path="vision_config.")
    if isinstance(named, str) and named in TOWERS:
        part, count = TOWERS[named]
        tally.take(count(tower), into=part)
        wide = tower.size("hidden_size")
    else:
        wide, layers = tower.size("hidden_size"), tower.size("num_hidden_layers")
        plain = Tally()
        transformer(
            plain, layers=layers, hidden=wide, inner=tower.size("intermediate_size", otherwise=4 * wide)
        )
        tally.take(plain, into=VISION)
        notes.assume("a plain vision transformer, its patches and positions left out")
    tally.add(PROJECTOR, linear(wide, text_width, bias=True) + linear(text_width, text_width, bias=True))
    notes.assume("two maps from the vision tower into the text model")
    return tally
