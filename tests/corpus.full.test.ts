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
    const found = await checkFile(name, make())
    expect(found?.id).toBe(problem)
    expect(found?.reason).toMatch(/\.$/)
    expect(found?.fix).toMatch(/\.$/)
  })
})

test('the corpus has at least the stated number of files', () => {
  expect(goodFiles.length).toBeGreaterThanOrEqual(100)
  expect(badFiles.length).toBeGreaterThanOrEqual(160)
})

test('the check does not change the bytes', async () => {
  for (const { name, make } of [...goodFiles, ...badFiles.slice(0, 20)]) {
    const bytes = make()
    const before = Buffer.from(bytes)
    await checkFile(name, bytes)
    expect(before.equals(bytes)).toBe(true)
  }
})
