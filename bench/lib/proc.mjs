import { readFileSync } from 'node:fs'

const readProcFile = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** A multiple of 10. NaN if the system has no /proc. */
export function readCpuMs(pid) {
  const fields = readProcFile(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** `field` is a name in /proc/pid/status, such as `VmRSS`. NaN if it is missing. */
export const readMemoryMib = (pid, field) =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readProcFile(pid, 'status'))?.[1]) / 1024

/** Nanosecond precision. NaN if the system has no /proc. */
export const readMainThreadMs = (pid) =>
  Number(readProcFile(pid, 'schedstat').split(' ')[0] || Number.NaN) / 1e6
