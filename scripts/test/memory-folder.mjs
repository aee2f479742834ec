import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const gibibyte = 2 ** 30

/**
 * Creates a folder in memory for the stores of the tests, or returns null if there is no room. A run writes gigabytes that are never read
 * again, and would wait for the disk at every commit. A killed process loses the same data there as on a disk.
 */
export function memoryFolder() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize < 8 * gibibyte || freemem() < 10 * gibibyte) return null
    const folder = mkdtempSync('/dev/shm/paydesk-test-')
    // If the tests run as root, PostgreSQL runs as another user.
    chmodSync(folder, 0o1777)
    return folder
  } catch {
    return null
  }
}
