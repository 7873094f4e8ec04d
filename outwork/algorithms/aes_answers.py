# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Known answers of every mode of AES, from the standards' examples (a table of constants)."""

from typing import Final

# Cipher, source, key, IV, AAD, message, result (hexadecimal), bytes of the tag.
ROWS: Final[tuple[tuple[str, str, str, str, str, str, str, int], ...]] = (
    (
        "aes-128-ecb",
        "SP 800-38A F.1.1",
        "2b7e151628aed2a6abf7158809cf4f3c",
        "",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
        "f69f2445df4f9b17ad2b417be66c3710",
        "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf43b1cd7f598ece23881b00e3ed030688"
        "7b0c785e27e8ad3f8223207104725dd4",
        0,
    ),
    (
        "aes-192-ecb",
        "SP 800-38A F.1.3",
        "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        "",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
        "f69f2445df4f9b17ad2b417be66c3710",
        "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eefef7afd2270e2e60adce0ba2face6444e"
        "9a4b41ba738d6c72fb16691603c18e0e",
        0,
    ),
    (
        "aes-256-ecb",
        "SP 800-38A F.1.5",
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        "",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
        "f69f2445df4f9b17ad2b417be66c3710",
        "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870b6ed21b99ca6f4f9f153e7b1beafed1d"
        "23304b7a39f9f3ff067d8d8f9e24ecc7",
        0,
    ),
    (
        "aes-128-cbc",
        "SP 800-38A F.2.1",
        "2b7e151628aed2a6abf7158809cf4f3c",
        "000102030405060708090a0b0c0d0e0f",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
        "f69f2445df4f9b17ad2b417be66c3710",
        "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b273bed6b8e3c1743b7116e69e22229516"
        "3ff1caa1681fac09120eca307586e1a7",
        0,
    ),
    (
        "aes-192-cbc",
        "SP 800-38A F.2.3",
        "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        "000102030405060708090a0b0c0d0e0f",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
        "f69f2445df4f9b17ad2b417be66c3710",
        "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a571b242012fb7ae07fa9baac3df102e0"
        "08b0e27988598881d920a9e64f5615cd",
        0,
    ),
    (
        "aes-256-cbc",
        "SP 800-38A F.2.5",
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        "000102030405060708090a0b0c0d0e0f",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
        "f69f2445df4f9b17ad2b417be66c3710",
        "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d39f23369a9d9bacfa530e26304231461"
        "b2eb05e2c39be9fcda6c19078c6a9d1b",
        0,
    ),
    (
        "aes-128-ctr",
        "SP 800-38A F.5.1",
        "2b7e151628aed2a6abf7158809cf4f3c",
        "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
        "f69f2445df4f9b17ad2b417be66c3710",
        "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df3edbd5d35e5b4f09020db03eab"
        "1e031dda2fbe03d1792170a0f3009cee",
        0,
    ),
    (
        "aes-192-ctr",
        "SP 800-38A F.5.3",
        "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
        "f69f2445df4f9b17ad2b417be66c3710",
        "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e941e36b26bd1ebc670d1bd1d665620abf7"
        "4f78a7f6d29809585a97daec58c6b050",
        0,
    ),
    (
        "aes-256-ctr",
        "SP 800-38A F.5.5",
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
        "f69f2445df4f9b17ad2b417be66c3710",
        "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c52b0930daa23de94ce87017ba2d84988d"
        "dfc9c58db67aada613c2dd08457941a6",
        0,
    ),
    (
        "aes-128-gcm",
        "McGrew, Viega: GCM, test case 4",
        "feffe9928665731c6d6a8f9467308308",
        "cafebabefacedbaddecaf888",
        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
        "b16aedf5aa0de657ba637b39",
        "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05"
        "1ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47",
        16,
    ),
    (
        "aes-128-gcm",
        "the same, test case 5 (8-byte IV)",
        "feffe9928665731c6d6a8f9467308308",
        "cafebabefacedbad",
        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
        "b16aedf5aa0de657ba637b39",
        "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c742373806900e49f24b22b097544d4896b42"
        "4989b5e1ebac0f07c23f45983612d2e79e3b0785561be14aaca2fccb",
        16,
    ),
    (
        "aes-192-gcm",
        "the same, test case 10",
        "feffe9928665731c6d6a8f9467308308feffe9928665731c",
        "cafebabefacedbaddecaf888",
        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
        "b16aedf5aa0de657ba637b39",
        "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a3f47"
        "18e2448b2fe324d9ccda27102519498e80f1478f37ba55bd6d27618c",
        16,
    ),
    (
        "aes-256-gcm",
        "the same, test case 16",
        "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
        "cafebabefacedbaddecaf888",
        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
        "b16aedf5aa0de657ba637b39",
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838"
        "c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b",
        16,
    ),
    (
        "aes-256-gcm",
        "the same, test case 18 (60-byte IV)",
        "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
        "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b5254"
        "16aedbf5a0de6a57a637b39b",
        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
        "b16aedf5aa0de657ba637b39",
        "5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf40fc0c3b780f244452da3ebf1c5d82cde"
        "a2418997200ef82e44ae7e3fa44a8266ee1c8eb0c8b5d4cf5ae9f19a",
        16,
    ),
    (
        "aes-128-ccm",
        "SP 800-38C C.1",
        "404142434445464748494a4b4c4d4e4f",
        "10111213141516",
        "0001020304050607",
        "20212223",
        "7162015b4dac255d",
        4,
    ),
    (
        "aes-128-ccm",
        "SP 800-38C C.2",
        "404142434445464748494a4b4c4d4e4f",
        "1011121314151617",
        "000102030405060708090a0b0c0d0e0f",
        "202122232425262728292a2b2c2d2e2f",
        "d2a1f0e051ea5f62081a7792073d593d1fc64fbfaccd",
        6,
    ),
    (
        "aes-128-ccm",
        "SP 800-38C C.3",
        "404142434445464748494a4b4c4d4e4f",
        "101112131415161718191a1b",
        "000102030405060708090a0b0c0d0e0f10111213",
        "202122232425262728292a2b2c2d2e2f3031323334353637",
        "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951",
        8,
    ),
    (
        "aes-128-xts",
        "IEEE 1619 vector 2",
        "1111111111111111111111111111111122222222222222222222222222222222",
        "33333333330000000000000000000000",
        "",
        "4444444444444444444444444444444444444444444444444444444444444444",
        "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0",
        0,
    ),
    (
        "aes-128-xts",
        "IEEE 1619 vector 15 (17 bytes)",
        "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0",
        "9a785634120000000000000000000000",
        "",
        "000102030405060708090a0b0c0d0e0f10",
        "6c1625db4671522d3d7599601de7ca09ed",
        0,
    ),
    (
        "aes-256-xts",
        "IEEE 1619 vector 10 (first 64 bytes)",
        "271828182845904523536028747135266249775724709369995957496696762731415926535897932384626433832795"
        "02884197169399375105820974944592",
        "ff000000000000000000000000000000",
        "",
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f"
        "303132333435363738393a3b3c3d3e3f",
        "1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b5d31e276f8fe4a8d66b317f9ac683f44"
        "680a86ac35adfc3345befecb4bb188fd",
        0,
    ),
    (
        "aes-128-cmac",
        "SP 800-38B D.1, 40 bytes",
        "2b7e151628aed2a6abf7158809cf4f3c",
        "",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
        "dfa66747de9ae63030ca32611497c827",
        16,
    ),
    (
        "aes-192-cmac",
        "SP 800-38B D.2, 40 bytes",
        "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        "",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
        "8a1de5be2eb31aad089a82e6ee908b0e",
        16,
    ),
    (
        "aes-256-cmac",
        "SP 800-38B D.3, 40 bytes",
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        "",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
        "aaf3d8f1de5640c232f5b169b9c911e6",
        16,
    ),
    (
        "aes-128-cmac",
        "SP 800-38B D.1, 64 bytes",
        "2b7e151628aed2a6abf7158809cf4f3c",
        "",
        "",
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52ef"
        "f69f2445df4f9b17ad2b417be66c3710",
        "51f0bebf7e3b9d92fc49741779363cfe",
        16,
    ),
    (
        "aes-128-cmac",
        "SP 800-38B D.1, empty",
        "2b7e151628aed2a6abf7158809cf4f3c",
        "",
        "",
        "",
        "bb1d6929e95937287fa37d129b756746",
        16,
    ),
    (
        "aes-128-gmac",
        "IEEE 802.1AE C.1.1 (54-byte packet)",
        "ad7a2bd03eac835a6f620fdcb506b345",
        "12153524c0895e81b2c28465",
        "",
        "d609b1f056637a0d46df998d88e5222ab2c2846512153524c0895e8108000f101112131415161718191a1b1c1d1e1f20"
        "2122232425262728292a2b2c2d2e2f30313233340001",
        "f09478a9b09007d06f46e9b6a1da25dd",
        16,
    ),
    (
        "aes-256-gmac",
        "IEEE 802.1AE C.1.2 (54-byte packet)",
        "e3c08a8f06c6e3ad95a70557b23f75483ce33021a9c72b7025666204c69c0b72",
        "12153524c0895e81b2c28465",
        "",
        "d609b1f056637a0d46df998d88e5222ab2c2846512153524c0895e8108000f101112131415161718191a1b1c1d1e1f20"
        "2122232425262728292a2b2c2d2e2f30313233340001",
        "2f0bc5af409e06d609ea8b7d0fa5ea50",
        16,
    ),
)
