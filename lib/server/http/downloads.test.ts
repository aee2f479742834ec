import { describe, expect, test, vi } from 'vitest'
import { readPageInOrder, runDownload, toDownloadStream } from './downloads'

const createResponse = async () => new Response('file')

describe('a person', () => {
  test('downloads one file at a time, and can start the next one when it ends', async () => {
    const endCallbacks: (() => void)[] = []
    const beginDownload = (person: string) =>
      runDownload(person, async (end) => {
        endCallbacks.push(end)
        return createResponse()
      })
    await beginDownload('one')
    await expect(beginDownload('one')).rejects.toMatchObject({ code: 'too_many' })
    await beginDownload('other')
    endCallbacks[0]?.()
    await beginDownload('one')
    for (const end of endCallbacks) end()
  })

  test('can download again after a file failed', async () => {
    await expect(
      runDownload('failed', () => Promise.reject(new Error('no store'))),
    ).rejects.toThrow('no store')
    await runDownload('failed', async (end) => {
      end()
      return createResponse()
    })
  })
})

describe('files', () => {
  test('alternate page by page, and other work runs between two pages', async () => {
    const completedSteps: string[] = []
    const readFilePages = async (name: string) => {
      for (const page of [1, 2])
        await readPageInOrder(async () => completedSteps.push(`${name}${page}`))
    }
    const pendingFileReads = [readFilePages('a'), readFilePages('b')]
    setImmediate(() => completedSteps.push('health'))
    await Promise.all(pendingFileReads)
    expect(completedSteps.filter((each) => each !== 'health')).toEqual(['a1', 'b1', 'a2', 'b2'])
    expect(completedSteps.indexOf('health')).toBeLessThan(completedSteps.length - 1)
  })

  test('continue after a page failed', async () => {
    await expect(readPageInOrder(() => Promise.reject(new Error('no page')))).rejects.toThrow(
      'no page',
    )
    expect(await readPageInOrder(async () => 'read')).toBe('read')
  })
})

describe('the body of a file', () => {
  async function* generateParts(fail = false) {
    yield new Uint8Array([1])
    if (fail) throw new Error('broken')
    yield new Uint8Array([2])
  }

  test.each([
    [
      'after its last part',
      async (stream: ReadableStream<Uint8Array>) => void (await new Response(stream).arrayBuffer()),
      false,
    ],
    [
      'on an error',
      (stream: ReadableStream<Uint8Array>) =>
        expect(new Response(stream).arrayBuffer()).rejects.toThrow('broken'),
      true,
    ],
    ['before anything was read', (stream: ReadableStream<Uint8Array>) => stream.cancel(), false],
  ])('calls its end handler once: %s', async (_, use, fail) => {
    const endSpy = vi.fn()
    await use(toDownloadStream(generateParts(fail), endSpy))
    expect(endSpy).toHaveBeenCalledOnce()
  })
})
