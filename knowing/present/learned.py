"""What was learned and what became of feedback, as JSON objects and as text for a terminal."""

from dataclasses import asdict
from typing import Any

from knowing.reports_learned import LearnedReport, Noted, TuneReport

Json = dict[str, Any]
_SHOWN = 10


def noted_json(noted: Noted) -> Json:
    return {"accepted": noted.accepted, "reason": noted.reason, "symbols": list(noted.symbols)}


def learned_json(report: LearnedReport) -> Json:
    return {**asdict(report), "path": str(report.path)}


def learned_text(report: LearnedReport) -> str:
    """Counts, then the most telling of each kind."""
    lines = [
        f"{report.events:,} events about {report.topics:,} topics in {report.path}",
        *([] if report.enabled else ["learning is switched off: learn.enabled is false"]),
        *report.notes,
    ]
    if report.by_deed:
        lines.append(", ".join(f"{count:,} {deed}" for deed, count in report.by_deed.items()))
    for wish in report.wishes:
        about = f" for tasks with: {wish.topic}" if wish.topic else ""
        lines.append(f"  {wish.deed:<8} {wish.symbol}{about}")
    if report.opinions:
        lines += ["", "useful / passed over"]
    for item in report.opinions[:_SHOWN]:
        expired = "  (expired: its package has changed)" if item.expired else ""
        lines.append(f"  {item.useful:6g} / {item.passed_over:<6g} {item.symbol}{expired}")
    if report.words:
        lines += ["", "words that lead to a symbol"]
    lines += [
        f"  {word.word:<16} {word.symbol}  ({word.count} times)" for word in report.words[:_SHOWN]
    ]
    if report.tuning:
        lines += ["", "calibrated numbers (`knowing tune --reset` takes them back)"]
        lines += [f"  {key} = {value:g}" for key, value in report.tuning.items()]
    return "\n".join(lines)


def tune_json(report: TuneReport) -> Json:
    return asdict(report)


def tune_text(report: TuneReport) -> str:
    """The verdict first."""
    lines = [report.verdict]
    if report.commits:
        lines.append(
            f"{report.commits} commits to choose on, {report.held_out} later ones held out: "
            f"{report.before:.3f} before, {report.after:.3f} after, difference between "
            f"{report.low:+.3f} and {report.high:+.3f}"
        )
    lines += [f"  {key} = {value:g}" for key, value in report.chosen.items()]
    return "\n".join(lines)
