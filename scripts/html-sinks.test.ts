import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * Matches code that inserts text as markup or script. In all other code, React escapes the text.
 */
const sinkPattern =
  /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|createContextualFragment|parseFromString|setHTMLUnsafe|document\.write|\bsrcDoc\b|\beval\(|new Function\(|href=\{?["'`]javascript:/i

const sourcePaths = ['app', 'components', 'lib'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`),
)

test('no source inserts text as markup or script', () => {
  expect(sourcePaths.length).toBeGreaterThan(500)
  expect(sourcePaths.filter((file) => sinkPattern.test(readFileSync(file, 'utf8')))).toEqual([])
})

test.each([
  '<p dangerouslySetInnerHTML={{ __html: name }} />',
  'place.innerHTML = name',
  'place.outerHTML = name',
  "place.insertAdjacentHTML('beforeend', name)",
  "new DOMParser().parseFromString(name, 'text/html')",
  'document.write(name)',
  '<iframe srcDoc={name} />',
  'eval(name)',
  'new Function(name)',
  "<a href='javascript:alert(1)'>",
])('%s is found', (line) => expect(sinkPattern.test(line)).toBe(true))
