import { parseSync } from 'vite'

/** A text in a source file that a screen can show. Computed parts are replaced with `…`. */
export type ScreenText = { line: number; text: string }

type SyntaxNode = { type: string; start: number } & Record<string, unknown>

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value

const textlessAttributePattern = /^(?:className|href|id|role|type|d|viewBox|key)$/

/** Matches a machine-readable value: one lowercase word, or a code in capitals. */
const machineNamePattern = /^[a-z_]+$|^[A-Z_]+$/

const textReaderByNodeType: Record<string, (node: SyntaxNode) => string | undefined> = {
  Literal: ({ value }) => (typeof value === 'string' ? value : undefined),
  JSXText: ({ value }) => String(value),
  TemplateLiteral: ({ quasis }) =>
    (quasis as { value: { cooked: string | null } }[])
      .map(({ value }) => value.cooked ?? '')
      .join('…'),
}

const hasNoScreenText = (node: SyntaxNode) =>
  /^(?:TS(?:TypeAlias|Interface).*|TSTypeAnnotation|Import.*|ExportAll.*)$/.test(node.type) ||
  (node.type === 'TaggedTemplateExpression' && isNode(node.tag) && node.tag.name === 'sql') ||
  (node.type === 'JSXAttribute' &&
    isNode(node.name) &&
    textlessAttributePattern.test(String(node.name.name)))

function* findTexts(value: unknown): Generator<{ start: number; text: string }> {
  if (Array.isArray(value)) for (const item of value) yield* findTexts(item)
  if (!isNode(value) || hasNoScreenText(value)) return
  const text = textReaderByNodeType[value.type]?.(value)
  if (text?.trim() && (value.type === 'JSXText' || !machineNamePattern.test(text)))
    yield { start: value.start, text: text.replace(/\s+/g, ' ').trim() }
  for (const child of Object.values(value)) yield* findTexts(child)
}

/** Returns every string, template and JSX text of a source file, without comments and types. */
export function findScreenTexts(path: string, source: string): ScreenText[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  return [...findTexts(program)].map(({ start, text }) => ({
    line: source.slice(0, start).split('\n').length,
    text,
  }))
}
