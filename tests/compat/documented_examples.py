"""Examples that the paper's package documents, as its README and docstrings have them.

Short quotations, to check that they run: what they read is in `FILES` of the test.
"""

EXAMPLES = {
    "README, basic usage": """
# Load example query and source documents
query_doc = Document("../data/hieronymus_samples.csv")
source_doc = Document("../data/vergil_samples.csv")

# Load the pipeline with pre-trained models
pipeline = ClassificationPipelineWithCandidategeneration(
    classification_name="...",
    embedding_model_name="...",
    device="cpu",
)

# Run the pipeline with the query and source documents
results = pipeline.run(
    query=query_doc,    # Query document
    source=source_doc,  # Source document
    top_k=3             # Number of top similar candidates to classify
)

pretty_print(results)

# Save results to CSV or JSON
pipeline.to_csv("results.csv")
pipeline.to_json("results.json")
""",
    "README, multiclass": """
pipeline = ClassificationPipelineWithCandidateGeneration(
  classification_name="path-or-hf-id-for-trained-multiclass-model",
  embedding_model_name="julian-schelb/multilingual-e5-large-emb-lat-intertext-v1",
  label_names=["no_match", "cit", "cf"],
  positive_labels=["cit", "cf"],
  device="cpu",
)

results = pipeline.run(query=query_doc, source=source_doc, top_k=20)
first = results["query-id"][0]
print(first.judgment_score)       # P(cit) + P(cf)
print(first.predicted_label)      # e.g. "cit" or "cf"
print(first.class_probabilities)  # {"no_match": ..., "cit": ..., "cf": ...}
""",
    "Pipeline": """
from locisimiles.pipeline import Pipeline
from locisimiles.pipeline.generator import EmbeddingCandidateGenerator
from locisimiles.pipeline.judge import ClassificationJudge
from locisimiles.document import Document

# Load documents
query = Document("query.csv")
source = Document("source.csv")

# Build a custom pipeline
pipeline = Pipeline(
    generator=EmbeddingCandidateGenerator(device="cpu"),
    judge=ClassificationJudge(device="cpu"),
)

# Run pipeline
results = pipeline.run(query=query, source=source, top_k=10)

# Save results
pipeline.to_csv("results.csv")
pipeline.to_json("results.json")
""",
    "TwoStagePipeline": """
from locisimiles.pipeline import ClassificationPipelineWithCandidategeneration
from locisimiles.document import Document

# Load documents
query = Document("query.csv")
source = Document("source.csv")

# Define pipeline
pipeline = ClassificationPipelineWithCandidategeneration(device="cpu")

# Run pipeline
results = pipeline.run(query=query, source=source, top_k=10)
""",
    "RetrievalPipeline": """
from locisimiles.pipeline import RetrievalPipeline
from locisimiles.document import Document

# Load documents
query = Document("query.csv")
source = Document("source.csv")

# Define pipeline
pipeline = RetrievalPipeline(device="cpu")

# Run pipeline
results = pipeline.run(query=query, source=source, top_k=10)
""",
    "ExhaustiveClassificationPipeline": """
from locisimiles.pipeline import ClassificationPipeline
from locisimiles.document import Document

# Load documents
query = Document("query.csv")
source = Document("source.csv")

# Define pipeline
pipeline = ClassificationPipeline(device="cpu")

# Run pipeline
results = pipeline.run(query=query, source=source)
""",
    "RuleBasedCandidateGenerator": """
from locisimiles.pipeline.generator import RuleBasedCandidateGenerator
from locisimiles.document import Document

# Load documents
query = Document("query.csv")
source = Document("source.csv")

# Create generator
generator = RuleBasedCandidateGenerator(min_shared_words=3)

# Generate candidates (genre hints improve preprocessing)
candidates = generator.generate(
    query=query,
    source=source,
    query_genre="prose",
    source_genre="poetry",
)

# Optionally load custom stopwords
generator.load_stopwords("my_stopwords.txt")
""",
    "RuleBasedPipeline": """
from locisimiles.pipeline import RuleBasedPipeline
from locisimiles.document import Document

# Load documents
query = Document("query.csv")
source = Document("source.csv")

# Define pipeline
pipeline = RuleBasedPipeline()

# Run pipeline
results = pipeline.run(query=query, source=source)
""",
    "ExhaustiveCandidateGenerator": """
from locisimiles.pipeline.generator import ExhaustiveCandidateGenerator
from locisimiles.document import Document

# Load documents
query = Document("query.csv")
source = Document("source.csv")

# Generate all possible pairs
generator = ExhaustiveCandidateGenerator()
candidates = generator.generate(query=query, source=source)

# Total pairs = len(query) × len(source)
total = sum(len(c) for c in candidates.values())
print(f"{total} candidate pairs")
""",
    "EmbeddingCandidateGenerator": """
from locisimiles.pipeline.generator import EmbeddingCandidateGenerator
from locisimiles.document import Document

# Load documents
query = Document("query.csv")
source = Document("source.csv")

# Generate candidates
generator = EmbeddingCandidateGenerator(device="cpu")
candidates = generator.generate(query=query, source=source, top_k=10)

# candidates is a dict: {query_id: [Candidate, ...]}
for query_id, cands in candidates.items():
    print(f"{query_id}: {len(cands)} candidates")
""",
    "ThresholdJudge": """
from locisimiles.pipeline.judge import ThresholdJudge

# Keep the 5 best candidates per query
judge = ThresholdJudge(top_k=5)
results = judge.judge(query=query_doc, candidates=candidates)

# Or use a similarity threshold instead
judge = ThresholdJudge(similarity_threshold=0.7)
results = judge.judge(query=query_doc, candidates=candidates)
""",
    "IdentityJudge": """
from locisimiles.pipeline.judge import IdentityJudge

judge = IdentityJudge()
results = judge.judge(query=query_doc, candidates=candidates)

# Every candidate gets judgment_score = 1.0
for qid, judgments in results.items():
    for j in judgments:
        print(j.judgment_score)  # 1.0
""",
    "ClassificationJudge": """
from locisimiles.pipeline.judge import ClassificationJudge

# Create judge with default model
judge = ClassificationJudge(device="cpu")

# Score pre-generated candidates
results = judge.judge(query=query_doc, candidates=candidates)

# Each result has a judgment_score (probability of being a match)
for qid, judgments in results.items():
    for j in judgments:
        if j.judgment_score > 0.5:
            print(f"{qid} → {j.segment.id}: {j.judgment_score:.3f}")
""",
    "IntertextEvaluator": """
from locisimiles.evaluator import IntertextEvaluator
from locisimiles.pipeline import TwoStagePipeline
from locisimiles.document import Document

# Load documents
query_doc = Document("hieronymus.csv")
source_doc = Document("vergil.csv")

# Initialize pipeline
pipeline = TwoStagePipeline(device="cpu")

# Create evaluator with auto-threshold
evaluator = IntertextEvaluator(
    query_doc=query_doc,
    source_doc=source_doc,
    ground_truth="ground_truth.csv",
    pipeline=pipeline,
    top_k=10,
    threshold="auto",  # Automatically find best threshold
    auto_threshold_metric="smr",
)

# Get evaluation metrics
print(evaluator.evaluate(average="micro"))
print(evaluator.evaluate(average="macro"))

# Evaluate single query
print(evaluator.evaluate_single_query("hier. adv. iovin. 1.41"))

# Find optimal threshold for different metrics
best, all_thresholds = evaluator.find_best_threshold(metric="f1")
print(f"Best F1 at threshold {best['best_threshold']}: {best['best_f1']:.3f}")
""",
    "GroundTruth": """
from locisimiles.ground_truth import GroundTruth

gt = GroundTruth("labels.csv")
gt = GroundTruth([
    {"query_id": "q1", "source_id": "s1", "label": "cit"},
    {"query_id": "q2", "source_id": "s2", "label": "cf"},
])

# Concatenate positives with sampled negatives
combined = positives + negatives
""",
    "Document": """
from locisimiles.document import Document

# Load from CSV (must have 'seg_id' and 'text' columns)
vergil = Document("vergil_samples.csv", author="Vergil")

# Access segments
print(len(vergil))           # Number of segments
print(vergil.ids())          # List of segment IDs
print(vergil.get_text("verg. aen. 1.1"))  # Get text by ID

# Iterate over segments
for segment in vergil:
    print(f"{segment.id}: {segment.text[:50]}...")

# Add custom segments
vergil.add_segment(
    text="Custom text",
    seg_id="custom.1",
    meta={"source": "manual"}
)
""",
    "Document.sentencize": """
doc = Document("mixed.csv")
doc.sentencize()
""",
    "TextSegment": """
segment = TextSegment(
    text="Arma virumque cano, Troiae qui primus ab oris",
    seg_id="verg. aen. 1.1",
    row_id=0,
    meta={"book": 1, "line": 1}
)
print(segment.text)  # "Arma virumque cano..."
print(segment.id)    # "verg. aen. 1.1"
""",
    "Candidate": """
from locisimiles.pipeline import Candidate
from locisimiles.document import TextSegment

candidate = Candidate(
    segment=TextSegment("Arma virumque cano", seg_id="verg. aen. 1.1"),
    score=0.85,
)
print(candidate.segment.id)  # "verg. aen. 1.1"
print(candidate.score)       # 0.85
""",
    "CandidateJudge": """
from locisimiles.pipeline import CandidateJudge
from locisimiles.document import TextSegment

result = CandidateJudge(
    segment=TextSegment("Arma virumque cano", seg_id="verg. aen. 1.1"),
    candidate_score=0.85,
    judgment_score=0.95,
)
print(result.judgment_score)  # 0.95
""",
    "pretty_print": """
from locisimiles.pipeline import pretty_print

results = pipeline.run(query=query_doc, source=source_doc, top_k=5)
pretty_print(results)
""",
    "results_to_csv": """
from locisimiles.pipeline import results_to_csv

results = pipeline.run(query=query_doc, source=source_doc, top_k=5)
results_to_csv(results, "results.csv")
""",
    "results_to_json": """
from locisimiles.pipeline import results_to_json

results = pipeline.run(query=query_doc, source=source_doc, top_k=5)
results_to_json(results, "results.json")
""",
    "datasets": """
from locisimiles import load_example_query, load_example_source, load_example_ground_truth

query = load_example_query()       # Hieronymus passages
source = load_example_source()     # Vergil passages
ground_truth = load_example_ground_truth()  # GroundTruth of (query_id, source_id, label)
""",
    "datasets, loops": """
query = load_example_query()
for seg in query:
    print(seg.id, seg.text[:60])
source = load_example_source()
for seg in source:
    print(seg.id, seg.text[:60])
gt = load_example_ground_truth()
for entry in gt:
    print(entry.query_id, "->", entry.source_id, ":", entry.label)
""",
}
