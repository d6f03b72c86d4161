/** The build accepts style sheets as imports. */
declare module '*.css';
