import { readFileSync } from 'node:fs'

const read = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** Milliseconds of processor time that a process has used; NaN without /proc. The kernel counts in hundredths of a second. */
export function cpuOf(pid) {
  const fields = read(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** A memory figure of a process in MiB, by its name in /proc/pid/status; NaN if it is missing. */
export const memoryOf = (pid, field) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(read(pid, 'status'))?.[1]) / 1024

/** Milliseconds that the main thread of a process has run, to the nanosecond; NaN without /proc. */
export const busyOf = (pid) => Number(read(pid, 'schedstat').split(' ')[0] || Number.NaN) / 1e6
