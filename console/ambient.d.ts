/** The build accepts style sheets as imports. */
declare module '*.css';
/** The types of the API reach files that use Node; the console itself must not, which the import test checks. */
declare module 'node:*';
