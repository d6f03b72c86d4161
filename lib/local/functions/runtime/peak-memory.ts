import { readFileSync } from 'node:fs';

/** Linux counts the starting process into maxRSS of the started one; VmHWM is the process's own peak. */
export const peakMemoryMegabytes = (): number => {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) / 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
};
