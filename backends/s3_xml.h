/* Reads what S3 answers in XML: elements without a look at their attributes. */
#ifndef BACKENDS_S3_XML_H
#define BACKENDS_S3_XML_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Finds the next element of this name from *at on, at any depth, and moves *at behind it. False if
 * there is none, or if the text is no XML. *inner and *length are its content.
 */
bool s3_xml_next(const char **at, const char *name, const char **inner, size_t *length);

/*
 * Copies the text of the first element of this name, with its references resolved. Returns false,
 * and an empty value, if there is none, it holds elements, or it does not fit.
 */
bool s3_xml_value(const char *xml, size_t length, const char *name, char *value, size_t size);

#endif
