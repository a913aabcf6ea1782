"""Decoders whose code travels with the model instead of standing in a library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from planner.architectures.blocks import Heads, Layers, decoder, grouped_attention, token_table
from planner.architectures.config import Config
from planner.architectures.heads import Target, decoder_head
from planner.architectures.tally import ATTENTION, MLP, NORMS, Tally, gated_mlp, linear


def internlm2(config: Config) -> Tally:
    """As llama, one switch for all biases of attention."""
    return decoder(config, Layers(bias="bias", stated_size=False))


def baichuan(config: Config) -> Tally:
    """As llama without grouped heads."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    tally = Tally()
    token_table(config, tally)
    tally.add(ATTENTION, layers * 4 * hidden * hidden)
    tally.add(MLP, layers * gated_mlp(hidden, config.size("intermediate_size")))
    tally.add(NORMS, (2 * layers + 1) * hidden)
    return tally


def qwen(config: Config) -> Tally:
    """The first Qwen: a bias on the inputs of attention; the stated width of the MLP is that of both halves."""
    hidden, layers = config.size("hidden_size"), config.size("num_hidden_layers")
    width = config.size("kv_channels") * config.size("num_attention_heads")
    tally = Tally()
    token_table(config, tally)
    tally.add(ATTENTION, layers * (linear(hidden, 3 * width, bias=True) + linear(width, hidden)))
    tally.add(MLP, layers * gated_mlp(hidden, config.size("intermediate_size") // 2))
    tally.add(NORMS, (2 * layers + 1) * hidden)
    return tally


def chatglm(config: Config) -> Tally:
    """The second and third ChatGLM and the first GLM-4: few key heads, a bias on the inputs of attention."""
    hidden, layers, queries = (
        config.size("hidden_size"),
        config.size("num_layers"),
        config.size("num_attention_heads"),
    )
    keys = config.size("multi_query_group_num") if config.flag("multi_query_attention") else queries
    heads, bias = Heads(hidden, queries, keys, config.size("kv_channels")), config.flag("add_bias_linear")
    inward = bias or config.flag("add_qkv_bias")
    inner, norm = (
        config.size("ffn_hidden_size"),
        hidden if config.flag("rmsnorm", otherwise=True) else 2 * hidden,
    )
    tally = Tally()
    token_table(config, tally)
    tally.add(ATTENTION, layers * grouped_attention(heads, bias=inward, out_bias=bias))
    tally.add(MLP, layers * gated_mlp(hidden, inner, bias=bias))
    tally.add(NORMS, (2 * layers + (1 if config.flag("post_layer_norm", otherwise=True) else 0)) * norm)
    return tally


def always_language(config: Config, tally: Tally, target: Target) -> None:
    """A language head, whatever the class is called."""
    usual = replace(target, task="language") if target.task == "none" else target
    decoder_head(config, tally, usual)


CARRIED: Mapping[str, Callable[[Config], Tally]] = {
    "internlm2": internlm2,
    "baichuan": baichuan,
    "qwen": qwen,
    "chatglm": chatglm,
}
"""Families by `model_type`."""
