#!/usr/bin/env python3
"""Measures what README.md of this folder lists, each figure beside what it is compared with, in one run.

    swift build -c release --static-swift-stdlib && python3 Benchmarks/run.py [--rlsim PATH] [NAME ...]
"""

import argparse
import os
import re
import resource
import statistics
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, "build")
ROUNDS = 7


def run(command, **options):
    """Runs a command; gives its processor seconds, peak memory in bytes, and what it printed."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    out, err = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}\n{out.decode()[-500:]}{err.decode()}")
    return out.decode(), err.decode()


def measured(command, **options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out, err = run(["/usr/bin/env"] + command, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, out, err


def peak(command):
    """Peak memory of one command in bytes, by a process of its own that waits for it."""
    code = ("import resource, subprocess, sys; p = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, "
            "stderr=subprocess.PIPE); sys.stderr.buffer.write(p.stderr); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)")
    out, err = run(["python3", "-c", code] + command)
    return int(out), err


def script(name):
    return os.path.join(HERE, name)


def per_fire(rlsim, name, count, fires, *options):
    """Nanoseconds a fire: the difference between two lengths, so that starting does not count."""
    few = fires // 10
    def once(n):
        return measured([rlsim, "run", "--quiet", "--max-memory", "8G", "--max-steps", "10G", *options, script(name), "--", str(count), str(n)])[0]
    return (once(fires) - once(few)) / (fires - few) * 1e9


def floor(mode, count, times):
    return float(run([os.path.join(BUILD, "floor"), mode, str(count), str(times)])[0])


def pairs(ours, theirs):
    """Takes turns, so that a machine that slows down slows both; gives both medians and the median of the ratios."""
    rows = [(ours(), theirs()) for _ in range(ROUNDS)]
    return (statistics.median(a for a, _ in rows), statistics.median(b for _, b in rows),
            statistics.median(a / b for a, b in rows))


def say(name, ours, theirs, ratio, unit, goal):
    print(f"{name:46} {ours:10.1f} {unit:4} {theirs:10.1f} {unit:4} ratio {ratio:5.2f}   goal {goal}", flush=True)


QUIET = ["--hide", "all"]


def quiet10(rlsim):
    say("a fire with its pass, 10 timers", *pairs(lambda: per_fire(rlsim, "quiet-timers.lua", 10, 3000000, *QUIET),
        lambda: floor("timers", 10, 3000000)), "ns", "at most 2")


def quiet100k(rlsim):
    say("a fire with its pass, 100,000 timers",
        *pairs(lambda: per_fire(rlsim, "quiet-timers.lua", 100000, 2000000, *QUIET),
               lambda: floor("timers", 100000, 2000000)), "ns", "at most 1.5")


def sizes(what, rlsim, name, mode, few, many):
    """The same with few and with many, each beside the floor, and how much either grows."""
    rows = [[(per_fire(rlsim, name, count, times, *QUIET), floor(mode, count, times)) for count, times in (few, many)]
            for _ in range(ROUNDS)]
    for place, (count, _) in enumerate((few, many)):
        say(f"{what}, {count:,}", *(statistics.median(values) for values in zip(*(
            (*row[place], row[place][0] / row[place][1]) for row in rows))), "ns", "")
    say(f"  {many[0]:,} against {few[0]:,}: growth, and the floor's",
        *(statistics.median(values) for values in zip(*(
            (row[1][0] / row[0][0], row[1][1] / row[0][1], row[1][0] / row[0][0] * row[0][1] / row[1][1])
            for row in rows))), "x", "at most the floor's")


def growth(rlsim):
    sizes("a fire among so many timers", rlsim, "quiet-timers.lua", "timers", (1000, 2000000), (1000000, 4000000))


def threads(rlsim):
    sizes("a fire, threads with a loop each", rlsim, "threads.lua", "threads", (10, 1000000), (10000, 1000000))


def handover(rlsim):
    sizes("a hand-over, threads with a loop each", rlsim, "handover.lua", "ring", (10, 1000000), (10000, 1000000))


def counted(command, few, many):
    """Instructions, and misses of a cache of 2 MB, for each of the times between `few` and `many`, by cachegrind."""
    def once(times):
        _, err = run(["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--LL=2097152,16,64",
                      "--cachegrind-out-file=/dev/null", *command, str(times)])
        return [int(re.search(name + r" *([\d,]+)", err).group(1).replace(",", "")) for name in (r"I *refs:", r"LL misses:")]
    return [(b - a) / (many - few) for a, b in zip(once(few), once(many))]


def caches(rlsim):
    """What `growth`, `threads` and `handover` are made of: instructions hardly grow, misses do. Needs valgrind."""
    stripped = os.path.join(BUILD, "rlsim")  # valgrind cannot read the debugging information
    run(["strip", "-g", "-o", stripped, rlsim])
    for name, mode, sizes in (("quiet-timers.lua", "timers", (1000, 100000)), ("threads.lua", "threads", (10, 10000)),
                              ("handover.lua", "ring", (10, 10000))):
        for count in sizes:
            few, many = max(count, 20000), max(count, 20000) * 3
            ours = counted([stripped, "run", "--quiet", "--max-memory", "8G", "--max-steps", "10G", *QUIET,
                            script(name), "--", str(count)], few, many)
            theirs = counted([os.path.join(BUILD, "floor"), mode, str(count)], few, many)
            print(f"{name + ' ' + format(count, ','):46} {ours[0]:8.0f} instructions {ours[1]:6.1f} misses"
                  f"   floor {theirs[0]:8.0f} instructions {theirs[1]:6.1f} misses", flush=True)


def memory(rlsim):
    def above_lua(name, count, times):
        total, err = peak([rlsim, "run", "--quiet", "--stats", "--max-memory", "8G", *QUIET, script(name), "--", str(count), str(times)])
        lua = int(re.search(r"memory (\d+)", err).group(1))
        return total - lua
    def one(what, name, count, times, goal):
        bytes_each = (above_lua(name, count, times) - above_lua(name, 1, 10)) / count
        print(f"{what:46} {bytes_each:10.0f} bytes                              goal below {goal}", flush=True)
    one("memory of a thread above Lua, timers", "threads.lua", 10000, 10, 4096)
    one("memory of a thread above Lua, hand-over", "handover.lua", 10000, 20000, 4096)
    one("memory of a timer above Lua", "many-timers.lua", 1000000, 10, 300)


def tracing(rlsim):
    fires = 300000
    def traced():
        with tempfile.NamedTemporaryFile() as file:
            def once(n):
                return measured([rlsim, "run", "--output", file.name, "--max-trace", "1G", script("quiet-timers.lua"), "--", "10", str(n)])[0]
            cpu = once(fires) - once(fires // 10)
            lines = (fires - fires // 10) * 5
            return cpu / lines * 1e9
    def silent():
        return per_fire(rlsim, "quiet-timers.lua", 10, fires, "--hide", "all", "--until", "1e9") / 5
    ours, theirs, _ = pairs(traced, silent)
    print(f"{'an event line, tracing to a file':46} {ours - theirs:10.1f} ns                                goal at most 60")


def start(rlsim):
    def timed(command):
        begin = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        return (time.perf_counter() - begin) * 1e6
    rows = [(timed([rlsim, script("empty.lua")]), timed(["lua5.4", "-e", ""])) for _ in range(200)]
    ours = statistics.median(a for a, _ in rows)
    theirs = statistics.median(b for _, b in rows)
    say("start of an empty script, against lua5.4", ours, theirs, ours / theirs, "us", "at most 2")


def locks(rlsim):
    def per_call(what):
        def once(n):
            return measured([rlsim, "run", *QUIET, "--max-instructions", "100G", "--max-steps", "10G", script("locks.lua"), "--", what, str(n)])[0]
        return (once(5000000) - once(500000)) / 9e6 * 1e9
    say("a call of lock or unlock, against one of C", *pairs(lambda: per_call("lock"), lambda: per_call("call")), "ns",
        "at most 1.5")
    say("  against an empty method of a userdata", *pairs(lambda: per_call("lock"), lambda: floor("method", 1, 10000000)),
        "ns", "")


def explore(rlsim):
    """Schedules a second by wall-clock time, one process and two in turns; memory after few and many schedules."""
    def rate(*options):
        # Exit code 1: it found something.
        out = subprocess.run([rlsim, "explore", *options], stdout=subprocess.PIPE).stdout.decode()
        return float(re.search(r"([0-9,]+) schedules a second", out).group(1).replace(",", ""))
    every = ["--no-reduce", script("explore.lua"), "--"]
    small = [rate(*every, "2", "7") for _ in range(ROUNDS)]
    print(f"{'schedules, two threads of seven additions':46} {statistics.median(small):10,.0f} a second, "
          f"least {min(small):,.0f}       goal 20,000, then 150,000", flush=True)
    large = [script("explore.lua"), "--", "2", "10"]
    rows = [(rate("--jobs", "2", *large), rate(*large)) for _ in range(ROUNDS)]
    ratio = statistics.median(a / b for a, b in rows)
    print(f"{'two processes against one, 184,756 traces':46} {ratio:10.2f}                                 goal at least 1.7",
          flush=True)
    for what, *words in (("reduced: two threads of nine additions", "explore.lua", "--", "2", "9"),
                         ("reduced: four threads, two rounds of lock, get, set, unlock", "explore-locks.lua", "--", "4", "2"),
                         ("reduced: three philosophers who eat twice", "philosophers.lua", "--", "3", "2")):
        rates = [rate(script(words[0]), *words[1:]) for _ in range(ROUNDS)]
        print(f"{what:61} {statistics.median(rates):10,.0f} a second", flush=True)
    def memory_after(count):
        code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)")
        command = [rlsim, "explore", "--schedules", str(count), *every, "3", "6"]
        return int(run(["python3", "-c", code] + command)[0])
    sizes = [memory_after(count) for count in (10_000, 1_000_000, 2_000_000, 4_000_000)]
    print(f"{'memory after 10,000, 1, 2 and 4 million schedules':46} " + " ".join(f"{size / 1e6:7.1f} MB" for size in sizes),
          flush=True)


ALL = {function.__name__: function
       for function in (quiet10, quiet100k, growth, threads, handover, caches, memory, tracing, start, locks,
                        explore)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rlsim", default=os.path.join(HERE, "..", ".build", "release", "rlsim"))
    parser.add_argument("names", nargs="*", help="which figures: " + ", ".join(ALL))
    arguments = parser.parse_args()
    os.makedirs(BUILD, exist_ok=True)
    flags = run(["pkg-config", "--cflags", "--libs", "lua5.4"])[0].split()
    run(["gcc", "-O2", "-Wall", "-Wextra", script("floor.c"), "-o", os.path.join(BUILD, "floor")] + flags)
    for name in arguments.names or ALL:
        ALL[name](os.path.abspath(arguments.rlsim))


if __name__ == "__main__":
    main()
