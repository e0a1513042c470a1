import { removeTestDatabase } from './test-database';

export default removeTestDatabase;
