"""Files that are broken, dressed up or something else: the right figure or one line that says what it is."""

import contextlib
import json
import time

import pytest

from planner.architectures import ArchitectureError, read_architecture
from planner.core.errors import PlannerError
from tests.architectures.known import config

TEXT = config("llama-3.1-8b").decode()
VALUES = json.loads(TEXT)
TOTAL = 8_030_261_248


def changed(**values: object) -> str:
    return json.dumps({**VALUES, **values})


def without(*keys: str) -> str:
    return json.dumps({key: value for key, value in VALUES.items() if key not in keys})


RIGHT = {
    # what is odd: (content, words of a remark)
    "byte-order mark": (b"\xef\xbb\xbf" + TEXT.encode(), "byte-order mark"),
    "UTF-16": (TEXT.encode("utf-16"), "UTF-16"),
    "UTF-16 without a mark": (TEXT.encode("utf-16-be"), "UTF-16 without"),
    "UTF-32": (TEXT.encode("utf-32"), "UTF-32"),
    "Windows-1252": (TEXT.replace("silu", "silü").encode("cp1252"), "Windows-1252"),
    "comments": (TEXT.replace("{", "{ /* sizes */ // all of them\n# yes\n", 1), "comments were left out"),
    "text after": (TEXT + "\nThat's all.", "text after the object"),
    "text before": ("Here it is:\n```json\n" + TEXT + "\n```", "text before the object"),
    "trailing comma": (TEXT.rstrip()[:-1].rstrip() + ",\n}", "trailing commas"),
    "Python's words": (str(VALUES), "single quotes"),
    "numbers as strings": (changed(hidden_size="4096", num_hidden_layers=" 32 "), "written as a string"),
    "a float that is whole": (changed(hidden_size=4096.0), ""),
    "NaN where it does not matter": (changed(rope_theta=float("nan")), "NaN is no JSON number"),
    "infinity where it does not matter": (changed(rope_theta=float("inf")), "Infinity is no JSON number"),
    "a huge number where it does not matter": (TEXT.replace("500000.0", "9" * 5000), ""),
    "wrapped in a list": (f"[{TEXT}]", "wrapped in a list"),
    "wrapped in a string": (json.dumps(TEXT), "wrapped in a string"),
    "line break in a string": (TEXT.replace("silu", "si\nlu"), "line breaks in strings"),
    "type is no word": (changed(model_type=["llama"]), ""),
    "no type": (without("model_type"), ""),
    "no class": (without("architectures"), ""),
    "class is no list": (changed(architectures={"a": 1}), ""),
    "nested configuration is null": (changed(text_config=None), ""),
}


@pytest.mark.parametrize("odd", RIGHT)
def test_right_figure_with_a_remark(odd):
    content, remark = RIGHT[odd]
    found = read_architecture(content)
    assert (found.kind, found.total_parameters) == ("exact", TOTAL)
    assert remark in " | ".join(found.remarks)


@pytest.mark.parametrize(
    ("content", "remark"),
    [
        (TEXT.replace('"hidden_size"', '"hidden_size": 1, "hidden_size"'), "keys given twice"),
        (changed(num_key_value_heads=7), "7 key and value heads do not divide 32 query heads"),
    ],
)
def test_a_file_that_contradicts_itself_is_an_estimate(content, remark):
    found = read_architecture(content)
    assert found.kind == "estimate"
    assert remark in " | ".join(found.remarks)


def test_heads_that_do_not_divide_the_width_are_refused_unless_their_size_is_stated():
    odd = json.loads(changed(num_attention_heads=33, num_key_value_heads=33))
    odd.pop("head_dim", None)
    with pytest.raises(ArchitectureError, match=r"33 heads do not divide .* 4096; .* 32 and 64"):
        read_architecture(json.dumps(odd))
    assert read_architecture(json.dumps({**odd, "head_dim": 128})).kind == "exact"


def test_a_stated_width_with_the_inside_of_the_class_is_an_estimate():
    found = read_architecture(without("intermediate_size"))
    assert found.kind == "estimate"
    assert any(line.startswith("intermediate_size ") for line in found.assumed)


def test_class_defaults_stand_in_for_missing_keys_and_are_told():
    found = read_architecture(without("hidden_size", "num_attention_heads", "num_hidden_layers"))
    assert (found.kind, found.total_parameters) == ("exact", TOTAL)
    assert "hidden_size 4096 (default of llama)" in found.assumed


def test_null_heads_mean_as_many_as_query_heads():
    # 32 layers with 32 key and value heads of 128 in place of 8.
    more = 32 * 2 * 4096 * (32 - 8) * 128
    assert read_architecture(changed(num_key_value_heads=None)).total_parameters == TOTAL + more


def test_nested_text_model_of_an_unknown_whole_is_an_estimate():
    found = read_architecture(json.dumps({"model_type": "new_vlm", "text_config": VALUES}))
    assert (found.kind, found.total_parameters) == ("estimate", TOTAL)
    assert "new_vlm" in found.assumed[0]


REFUSED = {
    # what it is: (content, words of the line)
    "empty": (b"", "an empty file"),
    "blank": (b" \n\t ", "an empty file"),
    "web page": ("<!DOCTYPE html><html><body>{}</body></html>", "web page"),
    "LFS pointer": ("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "Git LFS pointer"),
    "merge marks": (TEXT.replace('"hidden_size"', '\n<<<<<<< HEAD\n"hidden_size"'), "conflict marks"),
    "merge marks at the start": ("<<<<<<< HEAD\n" + TEXT + "\n=======\n{}\n>>>>>>> b", "conflict marks"),
    "binary": (bytes(range(256)) * 20, "binary file"),
    "zeros": (bytes(1000), "file"),
    "GGUF": (b"GGUF\x03\x00\x00\x00", "GGUF"),
    "zip": (b"PK\x03\x04" + bytes(40), "ZIP"),
    "pickle": (b"\x80\x02}q\x00.", "pickled"),
    "picture": (b"\x89PNG\r\n\x1a\n", "image"),
    "deep lists": ("[" * 100_000 + "]" * 100_000, "32 deep"),
    "deep objects": ('{"a":' * 50_000 + "1" + "}" * 50_000, "32 deep"),
    "somewhat deep": ('{"a":' * 40 + "1" + "}" * 40, "32 deep"),
    "cut off": (TEXT[: len(TEXT) // 2], "cut off"),
    "a list": ("[1, 2]", "a list"),
    "a number": ("42", "a single number"),
    "plain text": ("hello world", "plain text"),
    "nonsense in braces": ("{hello world}", "not valid JSON"),
    "empty object": ("{}", "describes no model"),
    "too long": ('{"a": "' + "x" * 5_100_000 + '"}', "5\u00a0MB"),
    "NaN": (changed(hidden_size=float("nan")), "hidden_size: NaN"),
    "infinity": (changed(hidden_size=float("inf")), "hidden_size: infinity"),
    "huge": (TEXT.replace("4096", "9" * 5000, 1), "hidden_size: infinity or a number too large"),
    "too large": (changed(num_hidden_layers=10**9), "num_hidden_layers: 1000000000 is out of range"),
    "zero": (changed(num_hidden_layers=0), "from 1 to 10,000"),
    "negative": (changed(hidden_size=-4096), "hidden_size: -4096 is out of range"),
    "fraction": (changed(hidden_size=4096.5), "not whole"),
    "word for a number": (changed(hidden_size="large"), "“large” is not a number"),
    "true for a number": (changed(hidden_size=True), "hidden_size: true"),
    "list for a number": (changed(hidden_size=[4096]), "hidden_size: a list"),
    "object for a number": (changed(hidden_size={"a": 1}), "hidden_size: an object"),
    "word for a switch": (changed(tie_word_embeddings="maybe"), "neither true nor false"),
    "heads that do not fit": (changed(num_attention_heads=100_000), "do not fit"),
    "impossible total": (
        changed(hidden_size=10**7, num_key_value_heads=10**6, head_dim=10**6, num_hidden_layers=9999),
        "total_parameters",
    ),
    "heads of a params.json that do not divide": (
        '{"dim": 4096, "n_layers": 32, "n_heads": 30, "vocab_size": 32000}',
        "30 heads do not divide a hidden size of 4096; the nearest that do are 16 and 32",
    ),
    "heads of a family of its own that do not divide": (
        '{"model_type": "falcon", "hidden_size": 4544, "num_attention_heads": 70}',
        "70 heads do not divide",
    ),
    "patches without a side": (
        '{"model_type": "vit", "patch_size": [0, 0], "image_size": [224, 224]}',
        "patch_size: a side of 0",
    ),
    "adapter": (
        '{"peft_type": "LORA", "base_model_name_or_path": "a/b"}',
        "config.json of the base model a/b",
    ),
    "tokenizer": ('{"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>"}', "tokenizer file"),
    "pipeline": ('{"_class_name": "FluxPipeline", "_diffusers_version": "0.30"}', "diffusion pipeline"),
    "diffusion": ('{"_class_name": "UNet2DConditionModel", "in_channels": 4}', "diffusion model"),
    "generation": ('{"do_sample": true, "temperature": 0.6}', "generation settings"),
    "image processor": ('{"image_processor_type": "CLIPImageProcessor"}', "image or sound processor"),
    "training log": ('{"log_history": [], "epoch": 1}', "training run"),
    "unknown and no decoder": ('{"model_type": "sambert", "hidden_size": 64}', "missing: num_hidden_layers"),
    "tower missing": ('{"model_type": "llava"}', "vision_config: not in the file"),
    "index without sizes": ('{"metadata": {}, "weight_map": {"a": "b"}}', "neither total_parameters"),
    "index without tensors": ('{"metadata": {"total_size": 4}, "weight_map": {}}', "no tensors"),
    "index of negative size": (
        '{"metadata": {"total_size": -4}, "weight_map": {"a": "b"}}',
        "not above zero",
    ),
    "header of negative shape": ('{"a": {"dtype": "F32", "shape": [-1]}}', "whole numbers from 0"),
    "header of unknown format": ('{"a": {"dtype": "Q4", "shape": [1]}}', "dtype “Q4”"),
    "header that overflows": ('{"a": {"dtype": "F32", "shape": [4294967296, 4294967296]}}', "more numbers"),
    "header cut off": ((5000).to_bytes(8, "little") + b'{"a":', "its first 5,008 are needed"),
    "header too long": ((2**30).to_bytes(8, "little") + b'{"a":', "at most 5\u00a0MB"),
}


@pytest.mark.parametrize("odd", REFUSED)
def test_refused_in_one_line(odd):
    content, words = REFUSED[odd]
    with pytest.raises(ArchitectureError) as caught:
        read_architecture(content)
    assert words in caught.value.message
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 400
    assert isinstance(caught.value, PlannerError)


SLOW = {
    "strings that never end": '{"a":' + '"\\' * 240_000,
    "apostrophes": "{" + "'" * 499_000,
    "comments": "{" + "/*" * 240_000,
    "colons": "{" + ",:" * 249_000,
    "names": "{" + "a " * 249_000,
    "digits": '{"a":' + "9" * 4_900_000 + "}",
    "many lists": '{"a":[' + "[]," * 300_000 + "[]]}",
    "many layers": '{"model_type": "jamba", "num_hidden_layers": 10000}',
}


@pytest.mark.parametrize("odd", SLOW)
def test_time_grows_with_length_only(odd):
    # Ten seconds are far above what any of these takes and far below what a quadratic one would.
    begin = time.process_time()
    with contextlib.suppress(ArchitectureError):
        read_architecture(SLOW[odd])
    assert time.process_time() - begin < 10
