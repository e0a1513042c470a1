import { loadSuite } from './load-suite';

loadSuite('authority');
