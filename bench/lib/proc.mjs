import { readFileSync } from 'node:fs'

const readProcFile = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Returns the processor time of a process, rounded to 10 milliseconds. NaN if the system has no
 * /proc.
 */
export function readCpuMs(pid) {
  const statFields = readProcFile(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(statFields[11]) + Number(statFields[12])) * 10
}

/** `field` is a name in /proc/pid/status, such as `VmRSS`. NaN if it is missing. */
export const readMemoryMib = (pid, field) =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readProcFile(pid, 'status'))?.[1]) / 1024

/**
 * Returns the processor time of a process's main thread. It is precise to the nanosecond. NaN if
 * the system has no /proc.
 */
export const readMainThreadMs = (pid) =>
  Number(readProcFile(pid, 'schedstat').split(' ')[0] || Number.NaN) / 1e6
