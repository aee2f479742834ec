import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const gibibyte = 2 ** 30

/**
 * Creates a folder in memory for the files of a test run, or returns null if memory is short. On a
 * disk, a run would write gigabytes, and each commit would wait. Tests that kill a process still
 * work, because the folder survives the process.
 */
export function createMemoryFolder() {
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
