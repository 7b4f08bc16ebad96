import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Disposable } from '../../src/platform/disposable.ts';
import { Emitter, type Subscription } from '../../src/platform/emitter.ts';

class Owner extends Disposable {
  readonly register = this._register.bind(this);
}

describe('Disposable', () => {
  it('disposes of what it owns once, in the order of registration', () => {
    const [owner, disposed] = [new Owner(), [] as string[]];
    owner.register(recorder('a', disposed), recorder('b', disposed));
    owner.register(recorder('c', disposed));
    assert.deepEqual(disposed, []);
    owner.dispose();
    owner.dispose();
    assert.deepEqual(disposed, ['a', 'b', 'c']);
  });

  it('disposes at once of what is registered after it was disposed of', () => {
    const [owner, disposed] = [new Owner(), [] as string[]];
    owner.dispose();
    owner.register(recorder('a', disposed), recorder('b', disposed));
    assert.deepEqual(disposed, ['a', 'b']);
  });

  it('disposes at once of what is registered while it is disposed of', () => {
    const [owner, disposed] = [new Owner(), [] as string[]];
    owner.register({ dispose: () => owner.register(recorder('late', disposed)) }, recorder('a', disposed));
    owner.dispose();
    assert.deepEqual(disposed, ['late', 'a']);
  });

  it('disposes of the others when one throws, and then throws its error', () => {
    const [owner, disposed] = [new Owner(), [] as string[]];
    owner.register(
      {
        dispose: () => {
          throw new Error('first');
        },
      },
      recorder('b', disposed),
    );
    assert.throws(() => {
      owner.dispose();
    }, /first/);
    assert.deepEqual(disposed, ['b']);
  });

  it('returns what it registers', () => {
    const [owner, emitter] = [new Owner(), new Emitter<number>()];
    assert.equal(owner.register(emitter), emitter);
  });
});

function recorder(name: string, disposed: string[]): Subscription {
  return { dispose: () => void disposed.push(name) };
}
