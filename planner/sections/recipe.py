"""What a job saves of each parameter, and what a GPU holds of it: recipe, stated components, adapters."""

from __future__ import annotations

from dataclasses import dataclass

from planner.catalogue import GuideModel, Recipe
from planner.core.quantity import Quantity, derive, given, total
from planner.core.record import record
from planner.core.tracing import decided
from planner.core.units import scalar
from planner.scenario import Job, Model
from planner.sections.context import Choice, Context, stated
from planner.sizing import layout, recipes

COMPONENTS = {
    "weight_bytes": ("weights_bytes", "Weights"),
    "master_bytes": ("master_bytes", "Master weights"),
    "first_moment_bytes": ("first_moment_bytes", "First moment"),
    "second_moment_bytes": ("second_moment_bytes", "Second moment"),
    "extra_bytes": ("extra_bytes", "Other state"),
}
"""Inputs that make a recipe of one's own: the recipe's column and the label of each."""
EMBEDDING_RECIPES = {"muon": "adamw-mixed"}
"""Recipes whose embeddings are trained by another one."""
TRAINING_RECIPE = "adamw-mixed"
"""What a GPU holds where the recipe says only what is saved: the guide's rows and weights alone."""
HALF_BYTES, FULL_BYTES = 2.0, 4.0
"""Bytes of a number in 16 and in 32 bits."""
ADAPTER_FRACTION = 0.006
"""Parameters of adapters over the model's: rank 16 on all matrices of a 7B model."""


@record(frozen=True, slots=True)
class Saved:
    """What a job saves.

    Attributes:
        recipe: The catalogue's row.
        model_parameter_count: Parameters of the model.
        parameter_count: Parameters that are saved: those of adapters alone with LoRA.
        bytes_per_parameter_bytes: Bytes saved of each.
    """

    recipe: Recipe
    model_parameter_count: Quantity
    parameter_count: Quantity
    bytes_per_parameter_bytes: Quantity

    @property
    def adapters(self) -> bool:
        """Whether adapters alone are saved."""
        return self.recipe.scope == "adapter"


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes of each trained parameter in GPU memory: weights, optimizer, and gradients from low to high."""

    weight_bytes: Quantity
    optimizer_bytes: Quantity
    gradient_low_bytes: Quantity
    gradient_high_bytes: Quantity


def saved_state(context: Context, job: Job, path: str) -> Saved:
    """Recipe, parameters that are saved, and bytes of each."""
    recipe = _recipe(context, job, path)
    parameters = stated(job.model.parameter_count, "parameter_count", "Parameters")
    each = context.pick(
        f"{path}.model.bytes_per_parameter_bytes",
        job.model.bytes_per_parameter_bytes,
        _recipe_sum(context, recipe, job.model),
    )
    kept = _adapters(context, job.model, path) if recipe.scope == "adapter" else parameters
    return Saved(recipe, parameters, kept, each)


def _recipe(context: Context, job: Job, path: str) -> Recipe:
    recipe_id = "guide-high" if context.guide else TRAINING_RECIPE
    context.auto[f"{path}.model.recipe_id"] = Choice(
        recipe_id,
        context.catalogue.find("recipes", recipe_id, field="recipe").label,
        "the guide's upper figure" if context.guide else "mixed-precision AdamW saves 2 + 4 + 4 + 4 bytes",
    )
    row: Recipe = context.catalogue.find(
        "recipes", job.model.recipe_id or recipe_id, field=f"{path}.model.recipe_id"
    )
    return row


def custom(model: Model) -> bool:
    """Whether a component of the recipe is stated."""
    return not (
        model.weight_bytes is None
        and model.master_bytes is None
        and model.first_moment_bytes is None
        and model.second_moment_bytes is None
        and model.extra_bytes is None
    )


def _recipe_sum(context: Context, recipe: Recipe, model: Model) -> Quantity:
    """Bytes per parameter: stated components, else the recipe's sum; the guide's takes its row nearest in size."""
    if custom(model):
        return total(list(components(recipe, model).values()), "Bytes per parameter", unit="bytes")
    if recipe.total_bytes is None:
        row: GuideModel = decided(context.catalogue.guide_model, model.parameter_count, key="guide model")
        return row.low_bytes if recipe.guide_bound == "low" else row.high_bytes
    other, embeddings = EMBEDDING_RECIPES.get(recipe.id), model.embedding_parameter_count
    if other is None or embeddings is None:
        return recipe.total_bytes
    row_bytes = context.catalogue.find("recipes", other, field="recipe").total_bytes
    return derive(
        recipes.mixed_recipe_bytes,
        matrix_bytes=recipe.total_bytes,
        embedding_bytes=row_bytes if row_bytes is not None else recipe.total_bytes,
        embedding_parameter_count=min(embeddings, model.parameter_count),
        parameter_count=model.parameter_count,
    )


def components(recipe: Recipe, model: Model) -> dict[str, Quantity]:
    """Bytes of each component by the name of its input: as stated, else the recipe's, else none."""
    found = {}
    for name, (column, label) in COMPONENTS.items():
        own, row = getattr(model, name), getattr(recipe, column)
        if own is not None:
            found[name] = stated(own, name, label)
        elif row is not None:
            found[name] = row
        elif name == "weight_bytes":
            found[name] = given(HALF_BYTES, "bytes", label, source="16-bit weights", grade="class assumption")
        else:
            found[name] = given(0.0, "bytes", label, source="the recipe has none", grade="seen")
    return found


def _adapters(context: Context, model: Model, path: str) -> Quantity:
    """Parameters of adapters: stated, from rank and shape, or a share of the model's."""
    if model.layer_count is not None and model.hidden_count is not None:
        derived = derive(
            recipes.adapter_parameter_count,
            adapter_rank_count=scalar(model.adapter_rank_count),
            hidden_count=scalar(model.hidden_count),
            matrix_count=scalar(model.adapter_matrix_count),
            layer_count=scalar(model.layer_count),
        )
    else:
        derived = derive(
            recipes.assumed_adapter_count,
            parameter_count=model.parameter_count,
            adapter_fraction=given(
                ADAPTER_FRACTION,
                "fraction",
                "Adapters over the model",
                source="rank 16 on all matrices of a 7B model",
                grade="class assumption",
            ),
        )
    return context.pick(f"{path}.model.adapter_parameter_count", model.adapter_parameter_count, derived)


def weight_part(saved: Saved, model: Model) -> Quantity:
    """Bytes of the working weights among those saved of each parameter."""
    weights = components(saved.recipe, model)["weight_bytes"]
    each = saved.bytes_per_parameter_bytes
    return weights if weights.number <= each.number else each


def record_components(context: Context, saved: Saved, model: Model, path: str) -> None:
    """Put on record what AUTO means for each component of the recipe."""
    sum_alone = saved.recipe.total_bytes is None and not custom(model)
    for name, item in components(saved.recipe, model).items():
        unknown = given(
            None, "bytes", item.label, source="the guide states the sum of all components", grade="unknown"
        )
        context.pick(f"{path}.model.{name}", getattr(model, name), unknown if sum_alone else item)


def held_state(context: Context, saved: Saved, model: Model, path: str) -> Held:
    """What a GPU holds of each trained parameter; gradients as the recipe's memory says, else 16 to 32 bits."""
    row = saved.recipe
    if row.master_bytes is None and row.first_moment_bytes is None:
        row = context.catalogue.find("recipes", TRAINING_RECIPE, field="recipe")
    parts = components(row, model)
    low = context.pick(
        f"{path}.model.gradient_bytes",
        model.gradient_bytes,
        _gradient(row, row.memory_low_bytes, HALF_BYTES),
    )
    return Held(
        parts["weight_bytes"],
        total(
            [item for name, item in parts.items() if name != "weight_bytes"],
            "Optimizer state per parameter",
            unit="bytes",
        ),
        low,
        low if model.gradient_bytes is not None else _gradient(row, row.memory_high_bytes, FULL_BYTES),
    )


def _gradient(row: Recipe, memory: Quantity | None, fallback: float) -> Quantity:
    if memory is None or row.total_bytes is None:
        return given(
            fallback, "bytes", "Gradients", source="16 to 32 bits for each gradient", grade="class assumption"
        )
    return derive(layout.rest_bytes, whole_bytes=memory, part_bytes=row.total_bytes, label="Gradients")
