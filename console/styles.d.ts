/** The build takes style sheets as imports. */
declare module '*.css';
