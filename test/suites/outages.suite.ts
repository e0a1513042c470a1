import { loadSuite } from './load-suite';

loadSuite('outages');
