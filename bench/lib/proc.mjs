import { readFileSync } from 'node:fs'

const readProcFile = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Returns the processor time of a process in milliseconds, a multiple of 10. NaN if the system has
 * no /proc.
 */
export function readCpuMs(pid) {
  const fields = readProcFile(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/**
 * Returns a memory figure of a process in MiB, such as `VmRSS`. `field` is its name in
 * /proc/pid/status. NaN if it is missing.
 */
export const readMemoryMib = (pid, field) =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readProcFile(pid, 'status'))?.[1]) / 1024

/**
 * Returns the processor time of a process's main thread in milliseconds, with nanosecond precision.
 * NaN if the system has no /proc.
 */
export const readMainThreadMs = (pid) =>
  Number(readProcFile(pid, 'schedstat').split(' ')[0] || Number.NaN) / 1e6
