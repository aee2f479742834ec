import { describe, expect, test } from 'vitest'
import { checkFile } from '@/lib/domain/files/check-file'
import { badFiles, goodFiles } from './corpus/all'

describe('files that are taken', () => {
  test.each(goodFiles)('$name: $label', async ({ name, make }) => {
    expect(await checkFile(name, make())).toBeNull()
  })
})

describe('files that are refused, each for what is wrong with it', () => {
  test.each(badFiles)('$name: $label', async ({ name, make, problem }) => {
    const found = await checkFile(name, make())
    expect(found?.id).toBe(problem)
    expect(found?.reason).toMatch(/\.$/)
    expect(found?.fix).toMatch(/\.$/)
  })
})

test('the corpus is as large as it is said to be', () => {
  expect(goodFiles.length).toBeGreaterThanOrEqual(100)
  expect(badFiles.length).toBeGreaterThanOrEqual(160)
})

test('the bytes are left as they are', async () => {
  for (const { name, make } of [...goodFiles, ...badFiles.slice(0, 20)]) {
    const bytes = make()
    const before = Buffer.from(bytes)
    await checkFile(name, bytes)
    expect(before.equals(bytes)).toBe(true)
  }
})
