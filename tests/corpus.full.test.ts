import { describe, expect, test } from 'vitest'
import { checkFile } from '@/lib/domain/files/check-file'
import { badFiles, goodFiles } from './corpus/all'

describe('valid files', () => {
  test.each(goodFiles)('$name: $label', async ({ name, make }) => {
    expect(await checkFile(name, make())).toBeNull()
  })
})

describe('invalid files, each with its reason', () => {
  test.each(badFiles)('$name: $label', async ({ name, make, problem }) => {
    const checkResult = await checkFile(name, make())
    expect(checkResult?.id).toBe(problem)
    expect(checkResult?.reason).toMatch(/\.$/)
    expect(checkResult?.fix).toMatch(/\.$/)
  })
})

test('the corpus has at least the stated number of files', () => {
  expect(goodFiles.length).toBeGreaterThanOrEqual(100)
  expect(badFiles.length).toBeGreaterThanOrEqual(160)
})

test('the check does not change the bytes', async () => {
  for (const { name, make } of [...goodFiles, ...badFiles.slice(0, 20)]) {
    const bytes = make()
    const bytesBefore = Buffer.from(bytes)
    await checkFile(name, bytes)
    expect(bytesBefore.equals(bytes)).toBe(true)
  }
})
