import 'reflect-metadata';
import { prepareTestDatabase } from './test-database';

export default prepareTestDatabase;
