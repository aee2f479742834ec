import { Children, type ComponentProps, type ReactNode } from 'react'
import { replaceHiddenCharacters, splitAtHiddenCharacters } from '@/lib/client/visible-text'

const characterNames: Readonly<Record<string, string>> = {
  'U+202E': 'reverses text',
  'U+202D': 'forces left to right',
  'U+202C': 'ends reversal',
  'U+2066': 'isolates text',
  'U+200B': 'zero-width space',
  'U+FEFF': 'zero-width space',
}

const HiddenCharacter = ({ code }: { code: string }) => (
  <span
    dir="ltr"
    title={`Invisible character ${code}`}
    className="mx-px rounded-sm border border-held px-0.5 align-baseline font-mono text-[0.75em] text-held"
  >
    invisible: {characterNames[code] ?? code}
  </span>
)

function markHiddenCharacters(text: string): ReactNode {
  const textPieces = splitAtHiddenCharacters(text)
  if (textPieces.length === 1 && textPieces[0] && 'text' in textPieces[0]) return text
  return textPieces.map((piece, at) =>
    'text' in piece ? (
      piece.text
    ) : (
      <HiddenCharacter
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other key, and none has state.
        key={at}
        code={piece.hidden}
      />
    ),
  )
}

/**
 * Text written outside Paydesk, such as a name, a message or a description. Its direction is
 * isolated from the surrounding text. Invisible characters are shown with a name or their code point,
 * because a right-to-left override can make one name look like another. Use it in place of `<bdi>`,
 * which only isolates the direction.
 */
export const ExternalText = ({ children, title, ...rest }: ComponentProps<'bdi'>) => (
  <bdi {...rest} title={title === undefined ? undefined : replaceHiddenCharacters(title)}>
    {typeof children === 'string'
      ? markHiddenCharacters(children)
      : Children.map(children, (child) =>
          typeof child === 'string' ? markHiddenCharacters(child) : child,
        )}
  </bdi>
)

type PersonNameProps = { own: boolean; name: string }

/**
 * A person's name. On the person's own screen it is "you"; in print it is the name, because paper
 * has no current user.
 */
export const PersonName = ({ own, name }: PersonNameProps) =>
  own ? (
    <ExternalText
      data-name={name}
      className="print:text-[0px] print:before:text-xs print:before:content-[attr(data-name)]"
    >
      you
    </ExternalText>
  ) : (
    <ExternalText>{name}</ExternalText>
  )
