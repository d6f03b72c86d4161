import { DatabaseSync } from 'node:sqlite';

export type Database = DatabaseSync;

export const openDatabase = (path: string, schema: string): Database => {
  const database = new DatabaseSync(path);
  // A commit survives the death of the process; only that of the machine could take the last ones.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
  database.exec(schema);
  return database;
};

export const inTransaction = <T>(database: Database, work: () => T): T => {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk has rolled back already: another try would hide why.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
};
