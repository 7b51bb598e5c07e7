"""PE Desktop: an offline laboratory for positional encodings.

Importing the package stays free of numpy and Qt, so that ``doctor`` and the set-up script can use it on a machine
where neither works.
"""

__version__ = "0.3.0"
