/*
 * Random numbers: S. Vigna's splitmix64, public domain. The state is any 64-bit number; the same
 * state gives the same numbers on every machine.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

/* Turns any number into one whose bits have nothing in common with it; a bijection. */
static inline uint64_t random_scramble(uint64_t value)
{
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

/* Scales 64 random bits to 0 .. count-1; count numbers are alike but for count / 2^64. */
static inline uint64_t random_scale(uint64_t bits, uint64_t count)
{
	return (uint64_t)(((unsigned __int128)bits * count) >> 64);
}

/* Draws 64 random bits. */
static inline uint64_t random_bits(uint64_t *state)
{
	return random_scramble(*state += RANDOM_STEP);
}

/* Draws a number from 0 to count-1. */
static inline uint64_t random_below(uint64_t *state, uint64_t count)
{
	return random_scale(random_bits(state), count);
}

/* Draws a number from 0 to below 1, a multiple of 2^-53. Signed numbers are faster to convert. */
static inline double random_unit(uint64_t *state)
{
	return (double)(int64_t)(random_bits(state) >> 11) * 0x1p-53;
}

#endif
