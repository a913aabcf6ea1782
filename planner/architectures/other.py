"""Files that lie beside a model's configuration and are none, by what stands in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from planner.core.errors import shorten

Check = Callable[[Mapping[str, Any]], bool]
Name = str | Callable[[Mapping[str, Any]], str]


def other_kind(values: Mapping[str, Any]) -> str:
    """What a file is if it is no model's configuration, with what to take instead; empty if it may be one."""
    for name, check in _KINDS:
        if check(values):
            return name if isinstance(name, str) else name(values)
    return ""


def _adapter(values: Mapping[str, Any]) -> str:
    base = values.get("base_model_name_or_path")
    of = f" {shorten(base)}" if isinstance(base, str) and base else ""
    return f"an adapter ({shorten(values.get('peft_type') or 'PEFT')}), not a model; take the config.json of the base model{of}"


def _diffusion(values: Mapping[str, Any]) -> str:
    return f"a part of a diffusion model ({shorten(values['_class_name'])}), which is not counted here"


def _pipeline(values: Mapping[str, Any]) -> str:
    return f"a diffusion pipeline ({shorten(values['_class_name'])}); its parts are not counted here"


def _has(*keys: str) -> Check:
    return lambda values: all(key in values for key in keys)


def _any(*keys: str) -> Check:
    return lambda values: any(key in values for key in keys)


def _alone(*keys: str) -> Check:
    """One of the keys, and none that a model's configuration has."""
    return lambda values: any(key in values for key in keys) and not any(key in values for key in _MODEL)


def _both(one: Check, other: Check) -> Check:
    return lambda values: one(values) and other(values)


_MODEL = ("model_type", "hidden_size", "n_embd", "d_model", "num_hidden_layers", "n_layer", "n_layers", "dim")


def _vocabulary(values: Mapping[str, Any]) -> bool:
    return len(values) > 200 and all(isinstance(value, int) for value in values.values())


_KINDS: tuple[tuple[Name, Check], ...] = (
    (_adapter, _any("peft_type", "adapter_type")),
    (_pipeline, lambda values: str(values.get("_class_name", "")).endswith("Pipeline")),
    (_diffusion, _both(_has("_class_name"), _any("_diffusers_version", "in_channels", "sample_size"))),
    ("a tokenizer's vocabulary", _vocabulary),
    (
        "a tokenizer file; take the config.json beside it",
        _alone("tokenizer_class", "added_tokens_decoder", "added_tokens", "merges"),
    ),
    (
        "a list of special tokens; take the config.json beside it",
        _alone("bos_token", "eos_token", "unk_token", "pad_token"),
    ),
    (
        "the settings of an image or sound processor; take the config.json beside it",
        _alone("image_processor_type", "feature_extractor_type", "processor_class", "image_mean"),
    ),
    (
        "generation settings; take the config.json beside it",
        _alone("do_sample", "temperature", "top_p", "max_new_tokens", "_from_model_config"),
    ),
    (
        "quantisation settings; take the config.json beside it",
        _alone("bits", "quant_method", "w_bit", "group_size"),
    ),
    (
        "the log of a training run; take the config.json of the model",
        _any("log_history", "best_model_checkpoint"),
    ),
    (
        "DeepSpeed settings; take the config.json of the model",
        _any("zero_optimization", "train_micro_batch_size_per_gpu"),
    ),
    (
        "a sentence-embedding wrapper; take the config.json of the model inside",
        _any("pooling_mode_mean_tokens", "__version__"),
    ),
    (
        "a package.json of Node, not a model's",
        _both(_has("name", "version"), _any("dependencies", "scripts", "devDependencies")),
    ),
)
