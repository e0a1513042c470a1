// Two files, for two workers; each part is tried on the one service of its file.
import './oauth/binding';
import './oauth/identities';
import './oauth/linking';
import './oauth/second-factors';
