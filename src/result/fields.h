/*
 * The members of a phase in a result document, one row each. The JSON, doc/result.schema.json, the
 * tables of doc/result.md and the shapes that the Python programs check all follow from the rows.
 * A list ends with a row without a key. The unit of a number is in its key.
 */
#ifndef RESULT_FIELDS_H
#define RESULT_FIELDS_H

#include "result/result.h"

enum result_type {
	RESULT_COUNT,	 /* uint64_t */
	RESULT_COUNT_32, /* uint32_t */
	RESULT_NUMBER,	 /* double */
	RESULT_TRUTH,	 /* bool */
	RESULT_EXTENT,	 /* {first_ns, last_ns} from the phase's begin; absent if not reached */
	/* uint32_t: the number of a node; the member "host" with its name follows */
	RESULT_NODE,
	RESULT_OBJECT, /* The members in `inner`. */
	/* The report writes the member itself, and the schema describes it by hand. */
	RESULT_BY_HAND,
};

/* The struct that a member lies in. */
enum result_owner { OWNER_RESULT, OWNER_MEASURE, OWNER_PLAN, OWNER_VERIFICATION };

/* Everything known about one phase; measure and verification are NULL where there is none. */
struct result_source {
	const struct phase_result *result;
	const struct measure *measure;
	const struct verification *verification;
	const struct plan *plan;
	unsigned nth; /* of the row whose function is called */
};

/* The phases that have a member. */
struct result_condition {
	const char *text;				   /* "in reads" */
	bool (*holds)(const struct result_source *source); /* NULL: by kind */
	unsigned kinds;					   /* a bit for each kind of phase */
};

struct result_field {
	const char *key;
	const char *text; /* one sentence */
	enum result_type type;
	bool is_signed; /* A number that may be below 0. */
	enum result_owner owner;
	size_t offset;
	/* Functions for a value that is no struct member; count also serves truths. */
	uint64_t (*count)(const struct result_source *source);
	double (*number)(const struct result_source *source);
	unsigned nth; /* tells rows with the same functions apart */
	const struct result_field *inner;
	const struct result_condition *only; /* NULL: every phase has the member */
	/* The member is null if a function says so, or where another one is 0 or false. */
	bool (*known)(const struct result_source *source);
	const struct result_field *needed;
};

/* The value of a row; the row's type says which member is valid. */
union result_value {
	uint64_t count;
	double number;
	bool truth;
};

extern const struct result_field result_fields[];
/* the object "kernel", fields_kernel.c */
extern const struct result_field result_fields_kernel[];
/* the object "metadata", fields_metadata.c */
extern const struct result_field result_fields_metadata[];
/* the object "load", fields_load.c */
extern const struct result_field result_fields_load[];
/* what comparing found; part of data phases and of loads */
extern const struct result_field result_fields_verification[];
extern const struct result_field result_fields_queue[];
extern const struct result_condition result_moves_data, result_is_metadata, result_is_load;

struct result_source result_source_of(const struct phase_result *result, const struct plan *plan);
bool result_field_is_there(const struct result_field *field, const struct result_source *source);
bool result_field_is_known(const struct result_field *field, const struct result_source *source);
union result_value result_field_value(const struct result_field *field,
				      const struct result_source *source);
const struct extent *result_field_extent(const struct result_field *field,
					 const struct result_source *source);

/* Macros for the rows of fields.c and fields_metadata.c. */
#define RESULT_ROW(key_, owner_, struct_, member_, text_, ...)                                     \
	{                                                                                          \
		.key = key_, .text = text_, .owner = owner_, .offset = offsetof(struct_, member_), \
		.type = _Generic(((struct_ *)0)->member_, uint64_t                                 \
				 : RESULT_COUNT, uint32_t                                          \
				 : RESULT_COUNT_32, double                                         \
				 : RESULT_NUMBER, bool                                             \
				 : RESULT_TRUTH, struct extent                                     \
				 : RESULT_EXTENT),                                                 \
		__VA_ARGS__                                                                        \
	}
#define OF_RESULT(key, member, ...) \
	RESULT_ROW(key, OWNER_RESULT, struct phase_result, member, __VA_ARGS__, )
#define OF_MEASURE(key, member, ...) \
	RESULT_ROW(key, OWNER_MEASURE, struct measure, member, __VA_ARGS__, )
#define OF_PLAN(key, member, ...) RESULT_ROW(key, OWNER_PLAN, struct plan, member, __VA_ARGS__, )
#define OF_VERIFICATION(key, member, ...) \
	RESULT_ROW(key, OWNER_VERIFICATION, struct verification, member, __VA_ARGS__, )
/* null where the member is 0 or false */
#define IF_RESULT(member) .needed = &(const struct result_field)OF_RESULT("", member, "")
#define IF_MEASURE(member) .needed = &(const struct result_field)OF_MEASURE("", member, "")
#define IF_PLAN(member) .needed = &(const struct result_field)OF_PLAN("", member, "")
#define COUNT_BY(key_, count_, text_, ...)                                                     \
	{                                                                                      \
		.key = key_, .type = RESULT_COUNT, .count = count_, .text = text_, __VA_ARGS__ \
	}
#define NUMBER_BY(key_, number_, text_, ...)                                                      \
	{                                                                                         \
		.key = key_, .type = RESULT_NUMBER, .number = number_, .text = text_, __VA_ARGS__ \
	}
#define OBJECT(key_, inner_, text_, ...)                                                        \
	{                                                                                       \
		.key = key_, .type = RESULT_OBJECT, .inner = inner_, .text = text_, __VA_ARGS__ \
	}
#define BY_HAND(key_, ...)                                       \
	{                                                        \
		.key = key_, .type = RESULT_BY_HAND, __VA_ARGS__ \
	}

#endif
