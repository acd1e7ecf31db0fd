"""examples/flock/flock.labs as a model for Mesa (https://mesa.readthedocs.io): one agent step at a time, by the same law.

A step is a bird that flies, or a message that is confirmed or propagated. Every enabled step is equally likely: one is drawn among all,
and another one if it is disabled. Birds see those within a distance, as the crow flies and without looking across the border.

    python flock.py BIRDS GRID DELTA STEPS SEED     prints the steps and the seconds of processor time
"""

import sys
import time

import mesa
from mesa.space import MultiGrid


class Bird(mesa.Agent):
    def __init__(self, model, stamp):
        super().__init__(model)
        self.heading = (model.random.choice((-1, 1)), model.random.choice((-1, 1)))
        self.stamp = stamp
        self.confirms = False
        self.propagates = False

    def fly(self):
        if self.confirms or self.propagates:
            return False
        grid = self.model.size
        x, y = self.pos
        self.model.grid.move_agent(self, ((x + self.heading[0]) % grid, (y + self.heading[1]) % grid))
        self.confirms = True
        return True

    def seen(self):
        """Those in sight."""
        delta = self.model.delta
        x, y = self.pos
        for other in self.model.grid.iter_neighbors(self.pos, moore=True, include_center=True, radius=delta):
            dx, dy = other.pos[0] - x, other.pos[1] - y
            if other is not self and dx * dx + dy * dy <= delta * delta:
                yield other

    def take(self, other):
        self.heading, self.stamp = other.heading, other.stamp
        self.confirms, self.propagates = False, True

    def propagate(self):
        if not self.propagates:
            return False
        self.propagates = False
        for other in self.seen():
            if other.stamp < self.stamp:
                other.take(self)
        return True

    def confirm(self):
        if not self.confirms:
            return False
        self.confirms = False
        for other in self.seen():
            if other.stamp < self.stamp:
                other.take(self)
            elif other.stamp > self.stamp:
                other.propagates = True
        return True


class Flock(mesa.Model):
    def __init__(self, birds, size, delta, seed):
        super().__init__(seed=seed)
        self.size, self.delta = size, delta
        self.grid = MultiGrid(size, size, torus=False)
        self.birds = [Bird(self, stamp) for stamp in range(birds)]
        for bird in self.birds:
            self.grid.place_agent(bird, (self.random.randrange(size), self.random.randrange(size)))

    def step(self):
        while True:
            bird = self.random.choice(self.birds)
            if self.random.choice((bird.fly, bird.propagate, bird.confirm))():
                return


def main():
    birds, size, delta, steps, seed = map(int, sys.argv[1:])
    model = Flock(birds, size, delta, seed)
    began = time.process_time()
    for _ in range(steps):
        model.step()
    print(mesa.__version__, steps, time.process_time() - began)


main()
