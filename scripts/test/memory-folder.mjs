import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const gibibyte = 2 ** 30

/**
 * Creates a folder in memory for the stores of the tests, or returns null if memory is short. On a disk, a run would write gigabytes of
 * temporary data, and each commit would wait for the disk. A killed process loses no more data in memory than on a disk.
 */
export function findMemoryFolder() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize < 8 * gibibyte || freemem() < 10 * gibibyte) return null
    const folder = mkdtempSync('/dev/shm/paydesk-test-')
    // If root runs the tests, PostgreSQL runs as another user, who must be able to write here.
    chmodSync(folder, 0o1777)
    return folder
  } catch {
    return null
  }
}
