package io.teff.engine.query;

import org.jspecify.annotations.Nullable;

/** A value with fields of several types. */
record Person(String name, int age, @Nullable String city, String email, long cents, double score, boolean isMember) {
    static final Field<Person, Integer> AGE = Field.of(Person.class, "age", int.class);
    static final Field<Person, String> CITY = Field.of(Person.class, "city", String.class);
    static final Field<Person, String> EMAIL = Field.of(Person.class, "email", String.class);
    static final Field<Person, Long> CENTS = Field.of(Person.class, "cents", long.class);
    static final Field<Person, Double> SCORE = Field.of(Person.class, "score", double.class);
    static final Field<Person, Boolean> MEMBER = Field.of(Person.class, "isMember", boolean.class);
    static final Field<Person, String> INITIAL = Field.ofString("initial", person -> person.name().substring(0, 1));

    private static final int CITIES = 7;

    /** Returns one of many persons; a fifth of them has no city. */
    static Person of(int number, int age) {
        return new Person("name " + number, age, number % 5 == 0 ? null : "city " + number % CITIES,
            number + "@example.org", number * 7L % 100, -number / 3.0, number % 2 == 0);
    }
}
