// Two files, for two workers; each part is tried on the one service of its file.
import './oauth/callback';
import './oauth/states';
