import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';

export type Database = DatabaseSync;

/** A column with JSON of this shape. */
export const jsonColumn = <Shape extends z.ZodType>(shape: Shape) =>
  z.string().transform((text) => shape.parse(JSON.parse(text)));

export const openDatabase = (path: string, schema: string): Database => {
  const database = new DatabaseSync(path);
  // Commits survive a crash of the process; a crash of the machine may lose the last ones.
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
    // After a full disk, SQLite has already rolled back; rolling back again would hide the reason.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
};
