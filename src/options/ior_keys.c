/*
 * What IOR has and iorx has not. A row leaves this table when its option enters one of the others;
 * the letters are those people still find in batch files, of old versions too.
 */
#include "options/ior_keys.h"

#include "base/text.h"

const struct ior_key ior_keys[] = {
	{ "randomPrefill", 0, NULL },
	{ "deadlineForStonewalling", 'D', NULL },
	{ "stoneWallingWearOut", 0, NULL },
	{ "stoneWallingWearOutIterations", 0, NULL },
	{ "stoneWallingStatusFile", 0, NULL },
	{ "minTimeDuration", 0, NULL },
	{ "maxTimeDuration", 'T', NULL },
	{ "interIODelay", 0, NULL },
	{ "keepFileWithError", 'K', NULL },
	{ "setTimeStampSignature", 'G', NULL },
	{ "dataPacketType", 'l', NULL },
	{ "outlierThreshold", 'j', NULL },
	{ "memoryPerNode", 'M', NULL },
	{ "memoryPerTask", 0, NULL },
	{ "checkRead", 'R', NULL },
	{ "checkWrite", 'W', NULL },
	{ "singleXferAttempt", 'x', NULL },
	{ "dualMount", 'y', NULL },
	{ "warningAsErrors", 0, NULL },
	{ "summaryAlways", 0, NULL },
	{ "saveRankPerformanceDetailsCSV", 0, NULL },
	{ "savePerOpDataCSV", 0, NULL },
	{ "numNodes", 0, NULL },
	{ "numTasksOnNode0", 0, NULL },
	{ "platform", 0, NULL },
	{ "useO_DIRECT", 'B', "posix.direct" },
	{ "quitOnError", 'q', NULL },
	{ "showHelp", 0, "help" },
	{ "showHints", 'H', NULL },
	{ "storeFileOffset", 0, NULL },
	{ "hintsFileName", 'U', "mpiio.hints_file" },
	{ "preallocate", 'p', "mpiio.preallocate" },
	{ "useFileView", 'V', "mpiio.use_file_view" },
	{ "useSharedFilePointer", 'P', NULL },
	{ "individualDataSets", 'I', NULL },
	{ "setAlignment", 'J', NULL },
	{ "noFill", 'n', NULL },
	{ "lustreStripeCount", 0, NULL },
	{ "lustreStripeSize", 0, NULL },
	{ "lustreStartOST", 0, NULL },
	{ "lustreStripeStart", 0, NULL },
	{ "lustreIgnoreLocks", 0, NULL },
};

const size_t ior_key_count = sizeof(ior_keys) / sizeof(ior_keys[0]);

const struct ior_key *ior_key_find(const char *name)
{
	for (size_t i = 0; i < ior_key_count; i++)
		if (text_same_key(ior_keys[i].name, name))
			return &ior_keys[i];
	return NULL;
}

const struct ior_key *ior_key_find_letter(char letter)
{
	for (size_t i = 0; i < ior_key_count; i++)
		if (letter && ior_keys[i].letter == letter)
			return &ior_keys[i];
	return NULL;
}
