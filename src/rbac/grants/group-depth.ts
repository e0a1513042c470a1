/** Levels of a tree of groups. A constraint in the database requires it, too. */
export const MAX_GROUP_DEPTH = 6;
