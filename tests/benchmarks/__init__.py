"""Speed and memory, each figure beside a baseline measured in the same run; never part of the test suite."""
