/* The headings under which help and man page show the core's options, in this order. */
#ifndef OPTIONS_GROUPS_H
#define OPTIONS_GROUPS_H

#define GROUP_WHAT "What is measured"
#define GROUP_TREE "The tree"
#define GROUP_HOW "How it is measured"
#define GROUP_PACE "The pace"
#define GROUP_END "Warm-up and end"
#define GROUP_DATA "Data"
#define GROUP_FILES "Files"
#define GROUP_RESULTS "Results and messages"
#define GROUP_LIMITS "Limits and safety"
#define GROUP_POSSIBLE "What is possible"
#define GROUP_ASKING "Asking iorx"

#endif
