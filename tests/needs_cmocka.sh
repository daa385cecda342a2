#!/bin/sh
# Stands for the tests in C where configure found no cmocka.
echo "the unit, mpi and backend tests need cmocka: install libcmocka-dev and configure again"
exit 77
